import * as z from 'zod/mini'
import { isSameJson } from '../../catalogue/resource/merge-patch.ts'
import { parseJson } from '../../platform/db/query.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { isResourceName, type ResourceName, resourceIdentities, verbs } from '../../platform/names.ts'
import { retentionDays } from '../event-retention.ts'
import type { WebhookFilter } from './filter-fields.ts'

/** Maximum number of shapes of a webhook whose deliveries are still stored. */
export const maxBodyShapes = 50

/**
 * Shapes of bodies. A delivery stores the number of its shape, so that every attempt sends the same bytes, also after a change of the filter. A
 * shape is kept for as long as events are, from the time at which another replaced it.
 */
const storedShapes = z.array(
  z.object({
    number: z.int(),
    /** Time in seconds at which another shape replaced it. */
    retiredAt: z.optional(z.int()),
    fields: z.optional(z.record(z.string(), z.array(z.string()))),
    thin: z.optional(z.boolean()),
  }),
)
export type Shapes = z.output<typeof storedShapes>
/** How a body is cut. */
type Shape = Pick<Shapes[number], 'fields' | 'thin'>

/** The shapes of a webhook. Undefined if they are damaged. */
export const parseShapes = (json: string | null): Shapes | undefined =>
  json === null ? [] : storedShapes.safeParse(parseJson(json)).data

/** The shapes after a change of the filter, and the number of the current one; null if bodies are sent whole. `now` is in seconds. */
export function replaceShape(
  shapes: Shapes,
  { fields, thin }: WebhookFilter,
  now: number,
): { shapes: Shapes; current: number | null } {
  const hasShape = thin === true || Object.keys(fields ?? {}).length > 0
  const wanted: Shape = { ...(fields && { fields }), ...(thin && { thin }) }
  const kept = shapes.filter(({ retiredAt }) => retiredAt === undefined || retiredAt > now - retentionDays * daySeconds)
  const isWanted = (shape: Shapes[number]) =>
    hasShape && isSameJson(shape.fields, wanted.fields) && isSameJson(shape.thin, wanted.thin)
  const known = kept.find(isWanted)
  const others = kept.filter((shape) => shape !== known).map((shape) => ({ retiredAt: now, ...shape }))
  if (!hasShape) return { shapes: others, current: null }
  const number = known?.number ?? 1 + Math.max(0, ...shapes.map((shape) => shape.number))
  return { shapes: [...others, { number, ...wanted }], current: number }
}

const verbNames: readonly string[] = verbs

/** The resource of a type of event about one whole object. Undefined for others, whose bodies no shape changes. */
function findResourceName(type: string): ResourceName | undefined {
  const [noun = '', verb = ''] = type.split('.')
  return isResourceName(noun) && verbNames.includes(verb) ? noun : undefined
}

const body = z.looseObject({ type: z.string(), merchantId: z.string(), data: z.looseObject({ id: z.unknown() }) })

/** The body of a delivery in a shape. The same whole body leads to the same bytes. */
export function applyShape(payload: string, { fields = {}, thin }: Shape): string {
  const whole = body.parse(JSON.parse(payload))
  const { type, merchantId, data, previous } = whole
  const name = findResourceName(type)
  if (name === undefined) return payload
  if (thin) {
    const href = `/merchants/${merchantId}/${resourceIdentities[name].path}/${String(data.id)}`
    const { previous: _, ...others } = whole
    return JSON.stringify({ ...others, data: { id: data.id, href } })
  }
  const shown = fields[type] ?? fields[`${name}.*`]
  if (!shown) return payload
  const cut = (record: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key === 'id' || shown.includes(key)))
  return JSON.stringify({ ...whole, data: cut(data), ...(isObject(previous) && { previous: cut(previous) }) })
}
