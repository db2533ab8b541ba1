import type { CatalogueRow, ListName } from '../../tools/cli/loader/catalogue-file.ts'
import type { Answered } from './merchant.ts'

/** Defaults of fields, by §1 of the contract. */
const defaults: Readonly<Partial<Record<ListName, CatalogueRow>>> = {
  products: {
    visible: true,
    taxable: true,
    useCustomTaxRate: false,
    manageStock: false,
    type: 'SIMPLE',
    images: [],
    metadata: [],
    modifiers: [],
  },
  modifiers: { instructions: '', type: 'CHECKBOX', rules: {}, options: [] },
  menus: { visible: true, showSectionNavigation: true, branding: {}, sections: [] },
  coupons: { active: true, individualUse: false, timesRedeemed: 0, products: [], applyToAllProducts: true },
  tags: { nfc: false, metadata: [], testMode: false },
  webhooks: { active: true, events: [] },
}

/** Fields that are stored without leading and trailing blanks. */
const trimmed = new Set(['title', 'firstName', 'lastName', 'label', 'code', 'key', 'sku', 'upc', 'email', 'phone'])
/** The value of a field whose text in a file is empty. */
const optional = new Set(['sku', 'upc', 'email', 'phone'])

function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      const text = typeof inner === 'string' && trimmed.has(key) ? inner.trim() : trim(inner)
      return text === '' && optional.has(key) ? [] : [[key, text]]
    }),
  )
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const object = (value: unknown): CatalogueRow => (typeof value === 'object' && value !== null ? { ...value } : {})

/** The object that a row has to become, without what the service makes; `toIds` has the ids of the rows of a list in their order. */
export function expectedObject(
  name: ListName,
  row: CatalogueRow,
  idsOf: (list: ListName) => readonly (string | undefined)[],
): CatalogueRow {
  const { details: _, ...provided } = object(trim(row))
  const ids = (to: ListName, indexes: unknown) => list(indexes).map((index) => idsOf(to)[Number(index)])
  const complete = { ...defaults[name], ...provided }
  switch (name) {
    case 'products':
      return { ...complete, modifiers: ids('modifiers', provided['modifiers']) }
    case 'modifiers':
      return { ...complete, options: list(complete['options']).map((option) => withoutId(object(option))) }
    case 'coupons':
      return {
        ...complete,
        // The one coupon of all these files that has no code.
        code: provided['code'] ?? '10-OFF',
        value: Number(provided['value']),
        products: ids('products', provided['products']),
        applyToAllProducts: provided['applyToAllProducts'] ?? list(provided['products']).length === 0,
      }
    case 'tags':
      return { ...complete, metadata: list(provided['metadata']).map((entry) => ({ visible: true, ...object(entry) })) }
    case 'menus':
      return {
        ...complete,
        allDayMenu: provided['allDayMenu'] ?? !('begin' in provided),
        sections: list(provided['sections']).map((section) => ({
          type: 'LIST',
          ...object(section),
          items: ids('products', object(section)['items']),
        })),
      }
    default:
      return complete
  }
}

const made = new Set(['id', 'createdAt', 'updatedAt'])
const shown: Readonly<Partial<Record<ListName, readonly string[]>>> = { tags: ['alias', 'url', 'qrUrl', 'nfcUrl'] }
/** Objects inside objects to which the service gives an id. */
const withIds = new Set(['options', 'sections'])

/** A returned object without the fields that the service generates. */
export function writableOf(name: ListName, answered: Answered): CatalogueRow {
  const fields = Object.entries(answered).filter(
    ([key]) => !made.has(key) && !(key === 'testMode' && name !== 'tags') && !shown[name]?.includes(key),
  )
  return Object.fromEntries(
    fields.map(([key, value]) => [key, withIds.has(key) ? list(value).map((part) => withoutId(object(part))) : value]),
  )
}

const withoutId = ({ id: _id, ...rest }: CatalogueRow): CatalogueRow => rest
