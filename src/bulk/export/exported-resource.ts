import type { RenderContext, ResourceDefinition } from '../../catalogue/resource/definition.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'

/** The parts of a resource that an export needs. Narrower than `Resource`, so that all resources have one type. */
export interface ExportedResource
  extends Pick<ResourceDefinition, 'path' | 'table' | 'item' | 'spansModes' | 'references' | 'internal' | 'details'> {
  create: { readOnly: ReadonlySet<string> }
  toView(item: object, renderContext: RenderContext): object
}

/** Adds a resource to a list, after the resources that its objects refer to. */
function addInOrder(ordered: ExportedResource[], resource: ExportedResource): void {
  if (ordered.includes(resource)) return
  for (const { target } of resource.references) {
    const named = all.find(({ table }) => table === target)
    if (named) addInOrder(ordered, named)
  }
  ordered.push(resource)
}

const all: readonly ExportedResource[] = resourceList

/** All resources, each after those that its objects refer to. An import creates objects in this order. */
export const exportOrder: readonly ExportedResource[] = all.reduce<ExportedResource[]>((ordered, resource) => {
  addInOrder(ordered, resource)
  return ordered
}, [])
