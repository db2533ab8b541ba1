import type * as z from 'zod'
import { describedLike, inputSchema, type JsonSchema, outputSchema } from './json-schema.ts'

/** What a schema of a response takes from a resource. */
export interface DescribedResource {
  update: { schema: z.core.$ZodType }
}

/** The schema of a response of a resource. Its fields have the descriptions of the declaration. */
export const responseSchema = ({ update }: DescribedResource, shown: z.core.$ZodType): JsonSchema =>
  describedLike(outputSchema(shown), inputSchema(update.schema))
