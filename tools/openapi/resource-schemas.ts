import type * as z from 'zod'
import { describedLike, inputSchema, type JsonSchema, outputSchema } from './json-schema.ts'

/** Parts of a resource that a response schema uses. */
export interface DescribedResource {
  update: { schema: z.core.$ZodType }
}

/** The schema of a response of a resource. Its fields have the descriptions of the declaration. */
export const responseSchema = ({ update }: DescribedResource, shown: z.core.$ZodType): JsonSchema =>
  describedLike(outputSchema(shown), inputSchema(update.schema))
