import * as z from 'zod/mini'
import type { Row } from '../core/database.ts'
import * as field from '../core/fields.ts'
import { createReader } from '../core/reader.ts'
import type { Kept, Presentation } from '../core/resource.ts'
import * as resources from '../resources/index.ts'

/** What rendering needs of a resource; narrower than `Resource`, so that a list of all seven has one type. */
interface Rendered extends Pick<Kept, 'name' | 'table' | 'item'> {
  present(item: object, presentation: Presentation): object
}

const rendererOf = ({ table, item, present }: Rendered) => {
  const read = createReader(table, item)
  return (row: Row, presentation: Presentation) => present(read(row), presentation)
}

const all: readonly Rendered[] = Object.values(resources)
const renderers = new Map<string, ReturnType<typeof rendererOf>>(
  all.map((resource) => [resource.name, rendererOf(resource)]),
)

/** An event as the database has it. */
export const storedEvent = z.object({
  id: z.string(),
  merchant_id: z.string(),
  test_mode: field.bit,
  type: z.string(),
  version: z.number(),
  at: z.number(),
  row: z.string(),
  previous: z.nullable(z.string()),
  base_url: z.nullable(z.string()),
  payload: z.nullable(z.string()),
})
export type StoredEvent = z.output<typeof storedEvent>

const jsonObject = z.record(z.string(), z.unknown())
const parse = (json: string) => jsonObject.parse(JSON.parse(json))

/** The JSON text of `data`: of an object as its resource shows it; of what others publish as it came. */
function dataOf(event: StoredEvent): string {
  const render = renderers.get(event.type.split('.')[0] ?? '')
  if (!render || event.type === testEvent) return event.row
  return JSON.stringify(render(parse(event.row), { baseUrl: event.base_url ?? undefined }))
}

/** An event without its data, for those who may not read the object. */
export const headOf = ({ id, type, at, merchant_id, test_mode, version }: StoredEvent) =>
  JSON.stringify({
    id,
    type,
    timestamp: new Date(at).toISOString(),
    merchantId: merchant_id,
    testMode: test_mode,
    version,
  })

/** What is sent of an event, to the byte: the same on every attempt. */
export function payloadOf(event: StoredEvent): string {
  if (event.payload !== null) return event.payload
  const previous = event.previous === null ? '' : `,"previous":${JSON.stringify(parse(event.previous))}`
  return `${headOf(event).slice(0, -1)},"data":${dataOf(event)}${previous}}`
}

/** The type of the event that `POST …/test` sends; nothing else raises it. */
export const testEvent = 'webhook.test'
