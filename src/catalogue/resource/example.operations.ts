import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { getIdForm } from '../../platform/lib/ids.ts'
import type { Draft, RenderContext, ResourceDefinition } from './definition.ts'
import { applyPatch } from './merge-patch.ts'

/** The parts of a resource that examples need. */
export interface ExampleResource extends Pick<ResourceDefinition, 'idPrefix' | 'hooks' | 'examples'> {
  create: { schema: { parse(body: unknown): Draft } }
  item: { parse(item: unknown): object }
  toView(item: object, renderContext: RenderContext): { id?: unknown }
  toFullView(item: object, renderContext: RenderContext): object | Promise<object>
  toCreatedOnly(item: object): object
}

const sign = async () => 'v3ja8k2m9qxr5tbw'
const exampleContext: RenderContext = { baseUrl: 'https://menu.example', sign }

/** An object in the views of lists and events, of retrieve, and of create. */
export async function createExample(resource: ExampleResource, body: unknown, besides: Draft = {}) {
  const { hooks, idPrefix, create, item, examples } = resource
  const draft = applyPatch({ hooks }, {}, create.schema.parse(body))
  const made = { id: exampleId(idPrefix), testMode: false, createdAt: exampleSeconds, updatedAt: exampleSeconds }
  const stored = JSON.stringify({
    ...hooks.complete(draft),
    ...hooks.generate(),
    ...examples.generated,
    ...made,
    ...besides,
  })
  const parsed = item.parse(
    JSON.parse(stored.replace(new RegExp(`"${getIdForm('([a-z]+)')}"`, 'g'), (_, prefix) => `"${exampleId(prefix)}"`)),
  )
  const full = await resource.toFullView(parsed, exampleContext)
  const view = resource.toView(parsed, exampleContext)
  return { view, full, created: { ...full, ...resource.toCreatedOnly(parsed) } }
}
