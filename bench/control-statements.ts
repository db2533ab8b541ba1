/** The statements of both controls for a product, with their values: on D1 (`control.ts`) and in an object (`homes/object-control.ts`). */
import { createId } from '../src/platform/lib/ids.ts'
import { indexTerms } from '../src/platform/lib/search-terms.ts'
import * as sql from './statements.ts'

export type Value = string | number | null
export type Row = Record<string, unknown>
/** A statement and the values of its parameters. */
export type BoundText = [text: string, ...values: Value[]]
export interface Account {
  key: string
  merchant: string
  test: number
}
/** The response to a request, and the statements of its transaction. The last one returns the deliveries. */
interface Change {
  response: unknown
  statements: BoundText[]
}

const insertEvent = {
  created: sql.insertEvent('created', 'version'),
  updated: sql.insertEvent('updated', 'version'),
  deleted: sql.insertEvent('deleted', 'version + 1'),
}
const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** A product in responses. */
export function toView(row: Row): Row {
  const shown: Row = {
    id: row['id'],
    testMode: row['test_mode'] === 1,
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
    title: row['title'],
    price: row['price'],
    visible: row['visible'] === 1,
    taxable: row['taxable'] === 1,
    useCustomTaxRate: row['use_custom_tax_rate'] === 1,
    manageStock: row['manage_stock'] === 1,
    type: row['type'],
    images: JSON.parse(String(row['images'])),
    metadata: JSON.parse(String(row['metadata'])),
    modifiers: JSON.parse(String(row['modifiers'])),
  }
  for (const name of ['description', 'calories', 'upc', 'sku']) if (row[name] !== null) shown[name] = row[name]
  if (row['tax_rate'] !== null) shown['taxRate'] = row['tax_rate']
  if (row['stock_quantity'] !== null) shown['stockQuantity'] = row['stock_quantity']
  return shown
}

export const toHash = async (key: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const toAuditEntry = ({ key, merchant, test }: Account, operation: string, object: string): BoundText => [
  sql.insertAuditEntry,
  ...[merchant, test, createId('aud'), nowInSeconds(), key, createId('req'), `products.${operation}`, object],
]
const toFanOut = ({ merchant }: Account, event: string): BoundText => {
  const now = nowInSeconds()
  return [sql.insertDeliveries, now, now + 30, merchant, event, event]
}
const toCause = ({ key }: Account) => JSON.stringify({ actor: key, request: createId('req') })

export const retrieve = ({ merchant, test }: Account, collection: string, id: string): BoundText => [
  sql.retrieve(collection),
  ...[merchant, test, id],
]
export const list = ({ merchant, test }: Account, limit: number): BoundText => [sql.list, merchant, test, limit + 1]

export function publish(account: Account, { type, data }: { type: string; data: object }): Change {
  const { merchant, test } = account
  const event = createId('evt')
  return {
    response: { id: event },
    statements: [
      [sql.publish, test, event, merchant, test, type, Date.now(), JSON.stringify(data), merchant],
      toFanOut(account, event),
    ],
  }
}

export function remove(account: Account, id: string): { statements: BoundText[] } {
  const one: [Value, Value, Value] = [account.merchant, account.test, id]
  const [now, at, event, ids] = [nowInSeconds(), Date.now(), createId('evt'), JSON.stringify([id])]
  return {
    statements: [
      [insertEvent.deleted, event, at, null, null, toCause(account), ...one],
      ...sql.pruning.flatMap(([inserted = '', updated = '', unlinked = '']): BoundText[] => [
        [inserted, event, at, ids, null, ...one],
        [updated, ids, now, ...one],
        [unlinked, ...one],
      ]),
      [sql.remove, ...one],
      [sql.insertDeletionEntry, ...toAuditEntry(account, 'delete', id).slice(1), ...one, ...one],
      toFanOut(account, event),
    ],
  }
}

/** `row` is the product before the change. */
export function updatePrice(account: Account, row: Row, price: number): Change {
  const [now, id, event] = [nowInSeconds(), String(row['id']), createId('evt')]
  const one: [Value, Value, Value] = [account.merchant, account.test, id]
  const updatedAt = Math.max(now, Number(row['updated_at']) + 1)
  const previous = JSON.stringify({ price: row['price'] })
  return {
    response: toView({ ...row, price, updated_at: updatedAt }),
    statements: [
      [sql.updatePrice, price, updatedAt, Number(row['version']), ...one],
      toAuditEntry(account, 'update', id),
      [insertEvent.updated, event, Date.now(), previous, null, toCause(account), ...one],
      toFanOut(account, event),
    ],
  }
}

export function create(account: Account, body: Row): Change {
  const { merchant, test } = account
  const [now, id, event] = [nowInSeconds(), createId('prod'), createId('evt')]
  const one: [Value, Value, Value] = [merchant, test, id]
  const text = (key: string) => (typeof body[key] === 'string' ? String(body[key]) : null)
  const whole = (key: string) => (typeof body[key] === 'number' ? Number(body[key]) : null)
  const flag = (key: string, otherwise: number) => (body[key] === undefined ? otherwise : Number(body[key]))
  const json = (key: string) => JSON.stringify(body[key] ?? [])
  const row: Record<string, Value> = {
    id,
    merchant_id: merchant,
    test_mode: test,
    created_at: now,
    updated_at: now,
    version: 1,
    title: text('title'),
    price: whole('price'),
    description: text('description'),
    visible: flag('visible', 1),
    taxable: flag('taxable', 1),
    use_custom_tax_rate: flag('useCustomTaxRate', 0),
    tax_rate: whole('taxRate'),
    calories: whole('calories'),
    manage_stock: flag('manageStock', 0),
    stock_quantity: whole('stockQuantity'),
    type: text('type') ?? 'SIMPLE',
    upc: text('upc'),
    sku: text('sku'),
    images: json('images'),
    metadata: json('metadata'),
    modifiers: json('modifiers'),
  }
  const others = ['description', 'sku', 'upc'].map((key) => text(key) ?? '')
  const words = indexTerms(merchant, test === 1 ? 't' : 'l', { names: [text('title') ?? ''], others })
  const linked: BoundText = [sql.insertModifiers, ...one, String(row['modifiers']), merchant, test]
  return {
    response: toView(row),
    statements: [
      [sql.insertProduct, ...Object.values(row)],
      toAuditEntry(account, 'create', id),
      ...(row['modifiers'] === '[]' ? [] : [linked]),
      [sql.insertWords, ...one, words],
      [insertEvent.created, event, Date.now(), null, null, toCause(account), ...one],
      toFanOut(account, event),
    ],
  }
}
