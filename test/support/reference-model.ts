import fc from 'fast-check'
import { samples } from './samples.ts'

export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396, as it is written there. */
export function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, merge(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

const isSet = (value: unknown) => value !== null && value !== undefined
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 })
const patchOf = (shape: Record<string, fc.Arbitrary<unknown>>) => fc.record(shape, { requiredKeys: [] })
const flag = maybe(fc.boolean())
const title = fc.constantFrom('Tea', 'Tee', 'Thé')

/** Stands for an object that is chosen when it is known which there are. */
const choice = /^#(\d+)$/
const choices = fc.uniqueArray(
  fc.nat(5).map((number) => `#${number}`),
  { maxLength: 4 },
)

/** A value with ids in place of choices, none of them twice in a list; if no ids exist, without them. */
export function withIds(value: unknown, ids: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const all = value.flatMap((part) => {
      const [, number] = (typeof part === 'string' && choice.exec(part)) || []
      if (number === undefined) return [withIds(part, ids)]
      return ids.length === 0 ? [] : [ids[Number(number) % ids.length]]
    })
    return all.filter((part, index) => typeof part !== 'string' || all.indexOf(part) === index)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withIds(part, ids)]))
}

const defaultsOf = (collection: string) => samples.find((sample) => sample.collection === collection)?.defaults

/** A resource by the contract: what an object shows, and what patches do to it. */
export interface Model {
  collection: string
  base: () => Fields
  patches: fc.Arbitrary<Fields>
  /** Whose ids are chosen in patches. */
  names?: 'products' | 'modifiers'
  /** Fields that go back to their default because of others in a patch. */
  resets: (patch: Fields) => string[]
  shown: (set: Fields) => Fields
}

const plain = (collection: string): Pick<Model, 'collection' | 'resets' | 'shown'> => ({
  collection,
  resets: () => [],
  shown: (set) => ({ ...defaultsOf(collection), ...set }),
})

export const models: readonly Model[] = [
  {
    ...plain('products'),
    base: () => ({ title: 'Tea', price: 1 }),
    names: 'modifiers',
    patches: patchOf({
      title,
      price: fc.constantFrom(0, 1, 2.5),
      description: maybe(fc.constantFrom('', 'a', 'b')),
      visible: flag,
      manageStock: flag,
      taxRate: maybe(fc.constantFrom(0, 7)),
      metadata: maybe(fc.constantFrom([], [{ key: 'a', value: 'b' }])),
      modifiers: maybe(choices),
    }),
  },
  {
    ...plain('modifiers'),
    base: () => ({ title: 'Milk', instructions: '' }),
    patches: patchOf({
      instructions: fc.constantFrom('', 'a'),
      type: maybe(fc.constantFrom('CHECKBOX', 'RADIO')),
      rules: maybe(patchOf({ required: flag, allowedMultiple: flag, selectRestriction: maybe(fc.nat(3)) })),
      options: maybe(
        fc.constantFrom(
          [],
          [
            { id: 'a', preSelected: true },
            { id: 'b', preSelected: true },
          ],
          [{ id: 'c' }],
        ),
      ),
    }),
  },
  {
    ...plain('menus'),
    base: () => ({ title: 'Lunch' }),
    names: 'products',
    patches: patchOf({
      visible: flag,
      showSectionNavigation: flag,
      allDayMenu: flag,
      begin: maybe(fc.constantFrom('0900', '2200')),
      end: maybe(fc.constantFrom('1500', '2200', '2400')),
      branding: maybe(
        patchOf({ banner: maybe(fc.constantFrom(false, 'https://a.b/c')), icon: flag.map((icon) => icon && null) }),
      ),
      sections: maybe(fc.array(fc.record({ type: fc.constant('LIST'), items: choices }), { maxLength: 2 })),
    }),
    resets: ({ begin, end, allDayMenu }) => (isSet(begin) && isSet(end) && !isSet(allDayMenu) ? ['allDayMenu'] : []),
    shown: (set) => ({ ...defaultsOf('menus'), allDayMenu: !('begin' in set && 'end' in set), ...set }),
  },
  {
    ...plain('coupons'),
    base: () => ({ title: 'Spring', code: crypto.randomUUID(), type: 'FIXED', value: 1 }),
    names: 'products',
    patches: patchOf({
      type: fc.constantFrom('PERCENTAGE', 'FIXED'),
      value: fc.constantFrom(0, 50, 100, 101),
      active: flag,
      minimumOrderAmount: maybe(fc.constantFrom(0, 20)),
      applyToAllProducts: flag,
      products: maybe(choices),
    }),
    resets: ({ products, applyToAllProducts }) =>
      Array.isArray(products) && products.length > 0 && !isSet(applyToAllProducts) ? ['applyToAllProducts'] : [],
    shown: (set) => ({
      ...defaultsOf('coupons'),
      applyToAllProducts: !Array.isArray(set['products']) || set['products'].length === 0,
      ...set,
    }),
  },
  {
    ...plain('customers'),
    base: () => ({ firstName: 'Ana', lastName: 'Sá' }),
    patches: patchOf({
      firstName: fc.constantFrom('Ana', 'Zoë'),
      email: maybe(fc.constantFrom('ana@example.com', 'zoë@example.com')),
      phone: maybe(fc.constantFrom('+351 912 345 678', '1234')),
    }),
  },
  {
    ...plain('tags'),
    base: () => ({}),
    patches: patchOf({
      nfc: flag,
      metadata: maybe(fc.constantFrom([], [{ key: 'table', value: '7', visible: false }])),
      testMode: fc.boolean(),
    }),
    shown: (set) => ({ ...defaultsOf('tags'), metadata: [], ...set }),
  },
  {
    ...plain('webhooks'),
    base: () => ({ title: 'Till', url: 'https://hooks.example.com/in' }),
    patches: patchOf({
      title,
      active: flag,
      // Nothing that the others raise: nothing is to be sent anywhere.
      events: maybe(fc.constantFrom([], ['order.created'])),
    }),
  },
]

/** Whether an object breaks no rule between its fields. */
export function holds({ type, rules, options, value, begin, end, allDayMenu }: Fields): boolean {
  if (type === 'FIXED' && value === 0) return false
  if (type === 'PERCENTAGE' && !(Number(value) > 0 && Number(value) <= 100)) return false
  if (allDayMenu !== undefined && (isSet(begin) !== isSet(end) || (isSet(begin) && begin === end))) return false
  if (allDayMenu === false && !isSet(begin)) return false
  if (!isObject(rules) || !Array.isArray(options)) return true
  const restriction = Number(rules['selectRestriction'] ?? 0)
  const isSingle = type === 'RADIO' || rules['allowedMultiple'] === false
  const most = isSingle ? 1 : restriction || 250
  if (type === 'RADIO' && (rules['allowedMultiple'] === true || restriction > 1)) return false
  if (options.length > 0 && restriction > options.length) return false
  return options.filter(({ preSelected }) => preSelected).length <= most
}

/** The object that a patch makes of what an object shows. */
export const patched = ({ resets, shown }: Model, before: Fields, patch: Fields): Fields => {
  const reset = resets(patch)
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => !reset.includes(key)))
  return shown(Object.assign({}, merge(kept, patch)))
}

const ofTags = ['alias', 'url', 'qrUrl', 'nfcUrl']

/** The part of a response that the model predicts: without values that the service generates. */
export function comparable(collection: string, object: Fields): Fields {
  const unknown = new Set([
    'id',
    'createdAt',
    'updatedAt',
    'bearerToken',
    'secret',
    ...(collection === 'tags' ? ofTags : []),
  ])
  const { sections, ...rest } = Object.fromEntries(Object.entries(object).filter(([key]) => !unknown.has(key)))
  if (!Array.isArray(sections)) return rest
  return { ...rest, sections: sections.map(({ id: _id, ...section }: Fields) => section) }
}
