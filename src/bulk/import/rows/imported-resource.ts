import * as z from 'zod/mini'
import type { Draft, ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { resources } from '../../../catalogue/resources/registry.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { type ResourcePath, resourcePaths } from '../../../platform/names.ts'

/** The parts of a resource that an import needs. Narrower than `Resource`, so that all resources have one type. */
export interface ImportedResource
  extends Pick<
    ResourceDefinition,
    'path' | 'table' | 'item' | 'spansModes' | 'references' | 'titleFields' | 'internal' | 'details' | 'counters'
  > {
  create: { readOnly: ReadonlySet<string>; schema: z.ZodMiniType<Draft> }
}

/** The resource with a path. */
export function getResource(path: ResourcePath): ImportedResource {
  const { [path]: resource } = resources
  return resource
}

/** The member of a line beside the object with fields of a side resource. Undefined if the resource has no side resource. */
export function getSideMember(path: ResourcePath): 'details' | 'limits' | undefined {
  if (path === 'coupons') return 'limits'
  return getResource(path).details && 'details'
}

/** Whether a text is the path of a resource. */
export const isResourcePath = (text: unknown): text is ResourcePath => resourcePaths.some((path) => path === text)

/** The path of the resource that a table stores. */
export const getPath = (table: ResourceTable): ResourcePath | undefined =>
  resourcePaths.find((path) => getResource(path).table === table)

/** Names of the fields that a create accepts. */
export const listCreateFields = ({ create: { schema } }: ImportedResource): readonly string[] =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : []
