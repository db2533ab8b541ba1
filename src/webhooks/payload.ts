import * as z from 'zod/mini'
import { getEvent } from '../catalogue/events/event-types.ts'
import {
  pickPublished,
  type RenderContext,
  type ResourceDefinition,
  readableParts,
} from '../catalogue/resource/definition.ts'
import { resourceList } from '../catalogue/resources/registry.ts'
import { DamagedError } from '../platform/db/damaged-rows.ts'
import { createRowReader, parseJson } from '../platform/db/query.ts'
import type { Row } from '../platform/db/row.ts'
import { isObject } from '../platform/lib/schema-guard.ts'
import { createEventDamage, type StoredEvent } from './rows/stored-event.ts'

/** The parts of a resource that rendering requires. Narrower than `Resource`, so that a list of all resources has one type. */
interface Rendered extends Pick<ResourceDefinition, 'name' | 'table' | 'item' | 'hidden' | 'published'> {
  toView(item: object, renderContext: RenderContext): object
}

const createRenderer = (resource: Rendered) => {
  const read = createRowReader(resource.table, resource.item)
  return (row: Row, renderContext: RenderContext, isDeleted: boolean): object => {
    try {
      return resource.toView(read(row), renderContext)
    } catch (error) {
      // An event about a removed object is sent even if the object's row is damaged.
      if (!(isDeleted && error instanceof DamagedError)) throw error
      return readableParts(resource, error.damage.id, error.readable)
    }
  }
}

const renderableResources: readonly Rendered[] = resourceList
const renderers = new Map<string, ReturnType<typeof createRenderer>>(
  renderableResources.map((resource) => [resource.name, createRenderer(resource)]),
)

const getNoun = ({ type }: Pick<StoredEvent, 'type'>) => type.split('.')[0] ?? ''
const findResource = (event: Pick<StoredEvent, 'type'>) =>
  renderableResources.find(({ name }) => name === getNoun(event))

/** The old values that an event shows: those of published fields and of the external id. Earlier releases also recorded others. */
function renderPrevious(event: StoredEvent): string {
  // The old values of details are for the history of their object.
  if (event.previous === null || getEvent(event.type).stored !== 'object') return ''
  const previous = parseObject(event, 'previous')
  const resource = findResource(event)
  const shown = resource ? pickPublished([...resource.published, 'externalId'], previous) : previous
  return `,"previous":${JSON.stringify(shown)}`
}

/** Whether a stored body may have fields that events do not show, because earlier releases stored them. */
const isUnsafe = (event: StoredEvent, payload: string) =>
  findResource(event)?.hidden.some((key) => payload.includes(`"${key}"`)) ?? false

const jsonObject = z.record(z.string(), z.unknown())
function parseObject(event: StoredEvent, field: 'row' | 'previous'): Record<string, unknown> {
  try {
    return jsonObject.parse(JSON.parse(event[field] ?? ''))
  } catch {
    throw createEventDamage(event, [field])
  }
}

const storedContext = z.object({ release: z.optional(z.string()), restored: z.optional(z.literal(true)) })

/** The members of the envelope that say what caused the event: the release, and whether a new object is a restored one. */
function renderCause(event: StoredEvent): string {
  if (event.context === null) return ''
  const { success, data } = storedContext.safeParse(parseJson(event.context))
  if (!success) throw createEventDamage(event, ['context'])
  const { release, restored } = data
  const isRestored = restored && event.type.endsWith('.created')
  const members = { ...(release !== undefined && { release }), ...(isRestored && { restored }) }
  return Object.entries(members)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
}

/** The members of a record that have a value. */
const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

/** The data of an event that is a record: members named like a resource are objects as the API shows them, others have no empty fields. */
function renderRecord(record: Record<string, unknown>, renderContext: RenderContext): object {
  const members = Object.entries(withoutNulls(record)).map(([key, value]) => {
    if (!isObject(value)) return [key, value]
    const render = renderers.get(key)
    return [key, render ? render(value, renderContext, false) : withoutNulls(value)]
  })
  return Object.fromEntries(members)
}

/** The JSON text of `data`: an object in its resource's view, or the published text unchanged. */
function renderData(event: StoredEvent): string {
  const row = parseObject(event, 'row')
  const { stored } = getEvent(event.type)
  if (stored === 'text') return event.row
  const renderContext = { baseUrl: event.baseUrl ?? undefined }
  try {
    if (stored === 'record') return JSON.stringify(renderRecord(row, renderContext))
    const render = renderers.get(getNoun(event))
    return render ? JSON.stringify(render(row, renderContext, event.type.endsWith('.deleted'))) : event.row
  } catch (error) {
    throw error instanceof DamagedError ? createEventDamage(event, ['row']) : error
  }
}

/** An event without its data, for keys without the right to read the object. */
export const renderWithoutData = ({ id, type, at, merchantId, testMode, version, seq }: StoredEvent) =>
  JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), merchantId, testMode, version, sequence: seq })

/**
 * The body of a delivery. It has the same bytes in every attempt, unless an earlier release stored a body with hidden fields. Throws `DamagedError`
 * if the row cannot be read.
 */
export function renderPayload(event: StoredEvent): string {
  if (event.payload !== null && !isUnsafe(event, event.payload)) return event.payload
  const previous = renderPrevious(event)
  const externalId = event.externalId === null ? '' : `,"externalId":${JSON.stringify(event.externalId)}`
  return `${renderWithoutData(event).slice(0, -1)}${externalId}${renderCause(event)},"data":${renderData(event)}${previous}}`
}
