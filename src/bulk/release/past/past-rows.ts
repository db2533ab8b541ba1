import { getTableName } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Draft, ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { listKeptRows, toMembers } from '../../../catalogue/resource/deleted/kept-rows.ts'
import { readEventRow } from '../../../catalogue/resource/deleted/list-deleted.ts'
import { setBack } from '../../../catalogue/resource/history/find-past.ts'
import { createRowMapping } from '../../../catalogue/resource/row-mapping.ts'
import { resources } from '../../../catalogue/resources/registry.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import { furtherNotice } from '../../../platform/db/schema/availability.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { PlannedRow } from '../preview/planned-rows.ts'

/** An event after the time: the first one of an object, of its details, or one about what is sold out. */
interface PastEvent {
  seq: number
  type: string
  object: string | null
  /** Number of the object's row at present. */
  current: number | null
  row: string | null
  previous: string | null
  kept: string | null
}

/** The first events of an object and of its details, and its first deletion. */
interface ObjectEvents {
  id: string
  path: 'products' | 'modifiers' | 'menus'
  current: number | null
  object?: PastEvent
  deletion?: PastEvent
  details?: PastEvent
}

const paths: Readonly<Record<string, ObjectEvents['path']>> = {
  product: 'products',
  modifier: 'modifiers',
  menu: 'menus',
}
const isVerb = ({ type }: PastEvent, verb: string) => type.endsWith(`.${verb}`)

function groupEvents(events: readonly PastEvent[]): readonly ObjectEvents[] {
  const found = new Map<string, ObjectEvents>()
  for (const event of events) {
    const [name = ''] = event.type.split('.')
    const path = paths[name]
    if (event.object === null || path === undefined) continue
    const known = found.get(event.object) ?? { id: event.object, path, current: event.current }
    const isDeletion = isVerb(event, 'deleted')
    found.set(event.object, {
      ...known,
      ...(isVerb(event, 'details_updated') ? { details: event } : { object: known.object ?? event }),
      ...(isDeletion && { deletion: event }),
    })
  }
  return [...found.values()]
}

/** The stored fields of the object before its first event. Undefined if they cannot be read. */
function readBefore(resource: ResourceDefinition, merchantId: string, event: PastEvent): Draft | undefined {
  const mapping = createRowMapping(resource)
  try {
    const row = readEventRow({ row: event.row, version: 1 })
    const after = mapping.toRow(mapping.read({ ...row, merchant_id: merchantId }).item)
    return isVerb(event, 'updated')
      ? mapping.toRow(resource.item.parse(setBack(after, toMembers(event.previous))))
      : after
  } catch (error) {
    if (error instanceof DamagedError) return undefined
    throw error
  }
}

function* listSides(path: string, object: number, { translations, ...data }: Draft): Iterable<PlannedRow> {
  const owner = { resource: path, object }
  yield ['details', { ...owner, data, version: 1 }]
  for (const [language, texts] of Object.entries({ ...Object(translations) })) {
    yield ['translations', { ...owner, language, texts }]
  }
}

/** A kept row whose member is JSON as text. */
const parseMember = (row: object, name: string): Draft => ({ ...row, [name]: toMembers(Reflect.get(row, name)) })

/** Details that a deletion kept. */
function* listKeptSides({ path, id }: ObjectEvents, object: number, kept: Draft): Iterable<PlannedRow> {
  const owner = { resource: path, object }
  const [details, translations] = [listKeptRows(kept, 'details', id), listKeptRows(kept, 'translations', id)]
  // An object that was restored since may have details that it did not have.
  if (details.length === 0) yield* listSides(path, object, {})
  for (const row of details) yield ['details', { ...owner, ...parseMember(row, 'data') }]
  for (const row of translations) yield ['translations', { ...owner, ...parseMember(row, 'texts') }]
}

/** Marks that a deletion kept, unless events tell about them. */
function* listKeptMarks({ id }: ObjectEvents, kept: Draft, { at, flips }: Past): Iterable<PlannedRow> {
  // A mark that has ended since is shown too.
  const toEnd = (row: object) => (Number(Reflect.get(row, 'sold_out_until')) > at ? furtherNotice : 0)
  for (const row of listKeptRows(kept, 'availability', id)) {
    if (!flips.products.has(id)) yield ['marks', [id, toEnd(row)]]
  }
  for (const row of listKeptRows(kept, 'option_availability', id)) {
    const option = String(Reflect.get(row, 'option'))
    if (!flips.options.has(toOptionKey(id, option))) yield ['option_marks', [id, option, toEnd(row)]]
  }
}

/**
 * The stock of a product. Until an event tells that it was sold out or back in stock, that did not change: its stock and its marks at the end of
 * that time say it together. Without `manageStock`, the stock is that of the present.
 */
function findStock({ id, deletion }: ObjectEvents, { merchantId, flips }: Past): Draft {
  if (flips.products.get(id) === false) return { manageStock: false }
  const { manageStock = null, stockQuantity = null } =
    (deletion && readBefore(resources.products, merchantId, deletion)) ?? {}
  return { manageStock, stockQuantity }
}

/** The rows of an object as they were before its events. `seq` is the number of its row. */
function* listObject(events: ObjectEvents, seq: number, past: Past): Iterable<PlannedRow> {
  const { path, id, current, object, deletion, details } = events
  const resource: ResourceDefinition = resources[path]
  const before = object && !isVerb(object, 'created') ? readBefore(resource, past.merchantId, object) : undefined
  if (object && current !== null) yield [`${path}.replaced`, current]
  if (object && !before) {
    yield [`${path}.deleted`, id]
    // Its translations would add languages to the menu.
    if (current !== null) yield* listSides(path, current, {})
    return
  }
  if (before) {
    yield [path, { ...before, ...(path === 'products' && findStock(events, past)), seq, version: 1 }]
    for (const reference of resource.references) {
      const ids = new Set(reference.listIds(before).map((named) => named.id))
      for (const target of ids) yield [getTableName(reference.links), [seq, target]]
    }
  }
  const isKept = deletion && !(details && details.seq < deletion.seq)
  const kept = toMembers(deletion?.kept)
  if (isKept) yield* listKeptSides(events, seq, kept)
  else if (details) {
    const after = toMembers(details.row)['details']
    yield* listSides(path, seq, setBack(isObject(after) ? after : {}, toMembers(details.previous)))
  }
  if (deletion) yield* listKeptMarks(events, kept, past)
}

const toOptionKey = (modifier: string, option: string) => `${modifier}.${option}`

/** Whether products and options were sold out before the first event that changed it. */
function listFlips(events: readonly PastEvent[]) {
  const products = new Map<string, boolean>()
  const options = new Map<string, readonly [modifier: string, option: string, wasSoldOut: boolean]>()
  for (const event of events) {
    if (!isVerb(event, 'sold_out') && !isVerb(event, 'back_in_stock')) continue
    const wasSoldOut = isVerb(event, 'back_in_stock')
    const data = soldOutData.safeParse(toMembers(event.row)).data ?? {}
    for (const id of data.products ?? []) if (!products.has(id)) products.set(id, wasSoldOut)
    for (const { modifier, option } of data.options ?? []) {
      const key = toOptionKey(modifier, option)
      if (!options.has(key)) options.set(key, [modifier, option, wasSoldOut])
    }
  }
  return { products, options }
}
const soldOutData = z.object({
  products: z.optional(z.array(z.string())),
  options: z.optional(z.array(z.object({ modifier: z.string(), option: z.string() }))),
})

/** The time, the merchant, and changes of what is sold out: rows of an object depend on them, too. */
interface Past {
  merchantId: string
  /** In seconds. */
  at: number
  flips: ReturnType<typeof listFlips>
}

/** The rows of the catalogue that were different before some events, in the order of these. */
export function* listPastRows(merchantId: string, at: number, events: readonly PastEvent[]): Iterable<PlannedRow> {
  const past = { merchantId, at, flips: listFlips(events) }
  for (const [index, each] of groupEvents(events).entries()) yield* listObject(each, each.current ?? -1 - index, past)
  for (const [id, wasSoldOut] of past.flips.products) {
    yield ['marks', [id, wasSoldOut ? furtherNotice : 0]]
    if (!wasSoldOut) yield ['in_stock', id]
  }
  for (const [modifier, option, wasSoldOut] of past.flips.options.values()) {
    yield ['option_marks', [modifier, option, wasSoldOut ? furtherNotice : 0]]
  }
}
