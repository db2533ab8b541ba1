import * as z from 'zod/mini'
import { DamagedError } from '../db/damaged-rows.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import * as field from '../http/fields.ts'
import { type RenderContext, type ResourceDefinition, readableParts } from '../resource/definition.ts'
import * as resources from '../resources/registry.ts'

/** What rendering needs of a resource; narrower than `Resource`, so that a list of all seven has one type. */
interface Rendered extends Pick<ResourceDefinition, 'name' | 'table' | 'item' | 'hidden' | 'internal'> {
  toView(item: object, renderContext: RenderContext): object
}

const createRenderer = (resource: Rendered) => {
  const read = createRowReader(resource.table, resource.item)
  return (row: Row, renderContext: RenderContext, isDeleted: boolean): object => {
    try {
      return resource.toView(read(row), renderContext)
    } catch (error) {
      // That an object is gone can be told of a damaged one, too.
      if (!(isDeleted && error instanceof DamagedError)) throw error
      return readableParts(resource, error.damage.id, error.readable)
    }
  }
}

const renderableResources: readonly Rendered[] = Object.values(resources)
const renderers = new Map<string, ReturnType<typeof createRenderer>>(
  renderableResources.map((resource) => [resource.name, createRenderer(resource)]),
)

/** The last millisecond that `Date` can write with a year of four digits. */
const lastMoment = 253_402_300_799_999

/** An event as the database has it. */
export const storedEvent = z.object({
  id: z.string(),
  merchant_id: z.string(),
  test_mode: field.zeroOrOne,
  type: z.string(),
  version: z.number(),
  at: z.number().check(z.minimum(0), z.maximum(lastMoment)),
  row: z.string(),
  previous: z.nullable(z.string()),
  base_url: z.nullable(z.string()),
  payload: z.nullable(z.string()),
})
export type StoredEvent = z.output<typeof storedEvent>

/** An event of the database; throws a `DamagedError` where it does not fit. */
export function readEvent(row: Row): StoredEvent {
  const { success, data, error } = storedEvent.safeParse(row)
  if (success) return data
  throw damageOf(row, [...new Set(error.issues.map(({ path: [column] }) => String(column)))])
}

const damageOf = (event: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  new DamagedError({ table: 'events', id: String(event['id']), merchantId: String(event['merchant_id']), fields })

const jsonObject = z.record(z.string(), z.unknown())
function parseObject(event: StoredEvent, field: 'row' | 'previous'): Record<string, unknown> {
  try {
    return jsonObject.parse(JSON.parse(event[field] ?? ''))
  } catch {
    throw damageOf(event, [field])
  }
}

/** The JSON text of `data`: of an object as its resource shows it; of what others publish as it came. */
function dataOf(event: StoredEvent): string {
  const render = renderers.get(event.type.split('.')[0] ?? '')
  const row = parseObject(event, 'row')
  if (!render || event.type === testEventType) return event.row
  try {
    return JSON.stringify(render(row, { baseUrl: event.base_url ?? undefined }, event.type.endsWith('.deleted')))
  } catch (error) {
    throw error instanceof DamagedError ? damageOf(event, ['row']) : error
  }
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
export function renderPayload(event: StoredEvent): string {
  // Throws a `DamagedError` where what was recorded cannot be read.
  if (event.payload !== null) return event.payload
  const previous = event.previous === null ? '' : `,"previous":${JSON.stringify(parseObject(event, 'previous'))}`
  return `${headOf(event).slice(0, -1)},"data":${dataOf(event)}${previous}}`
}

/** The type of the event that `POST …/test` sends; nothing else raises it. */
export const testEventType = 'webhook.test'
