import fc from 'fast-check'

/** An object of a scene or an operation, by which bodies of both merchants name it. */
export type Label = string
export type Names = (label: Label) => unknown
export interface Planned {
  op: 'create' | 'update' | 'upsert' | 'delete'
  resource: string
  label: Label
  externalId?: string
  /** Its labels are replaced by ids. */
  body?: Record<string, unknown>
}

/** The objects that both merchants have before: each with the labels of the objects that it names. */
export const scene: readonly Required<Pick<Planned, 'resource' | 'label' | 'body'>>[] = [
  {
    resource: 'modifiers',
    label: 'm0',
    body: { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] },
  },
  { resource: 'modifiers', label: 'm1', body: { title: 'Size', instructions: '' } },
  { resource: 'products', label: 'p0', body: { title: 'Latte', price: 3, modifiers: ['m0', 'm1'] } },
  { resource: 'products', label: 'p1', body: { title: 'Tea', price: 2, modifiers: ['m1'] } },
  { resource: 'products', label: 'p2', body: { title: 'Cake', price: 4, sku: 'CAKE' } },
  {
    resource: 'menus',
    label: 'n0',
    body: { title: 'Day', sections: [{ title: 'Hot', items: ['p0', 'p1'] }] },
  },
  {
    resource: 'coupons',
    label: 'c0',
    body: { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, products: ['p2'] },
  },
  { resource: 'tags', label: 't0', body: { metadata: [{ key: 'table', value: '1' }] } },
  { resource: 'customers', label: 'u0', body: { firstName: 'Ada', lastName: 'Lovelace' } },
  { resource: 'webhooks', label: 'w0', body: { title: 'Till', url: 'https://till.example.com/w', events: ['*'] } },
]
export const labels = scene.map(({ label }) => label)
const named: Record<Label, Label[]> = { p0: ['m0', 'm1'], p1: ['m1'], n0: ['p0', 'p1'], c0: ['p2'] }
export const resourceOf = (label: Label) => scene.find((object) => object.label === label)?.resource ?? ''

const text = fc.constantFrom('Café', '', ' x ', 'naïve "quote" \\', '茶', 'a'.repeat(256), '\u0001😀')
const number = fc.constantFrom<unknown>(0, 1, '2.5', -1, 0.1 + 0.2, 'x', null, 3.0001)
const targets = (from: readonly Label[], more: readonly Label[]) =>
  fc.uniqueArray(fc.constantFrom(...from, ...more), { maxLength: 3 })

/** A body of each resource. `created` are the labels of operations that create what it can name. */
const bodyOf = (resource: string, isUpdate: boolean): fc.Arbitrary<Record<string, unknown>> => {
  const create = (fields: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(fields, isUpdate ? { requiredKeys: [] } : {})
  const titled = { title: text }
  switch (resource) {
    case 'modifiers':
      return create({ ...titled, instructions: text, options: fc.array(fc.record({ label: text }), { maxLength: 2 }) })
    case 'products':
      return create({ ...titled, price: number, visible: fc.boolean(), modifiers: targets(['m0', 'm1'], ['o0', 'o1']) })
    case 'menus':
      return create({
        ...titled,
        sections: fc.array(fc.record({ title: text, items: targets(['p0', 'p1', 'p2'], ['o2', 'o3']) }), {
          maxLength: 2,
        }),
      })
    case 'coupons':
      return create({
        ...titled,
        ...(isUpdate ? {} : { code: fc.constantFrom('TEN', 'ten', 'NEW', 'OTHER') }),
        type: fc.constantFrom('FIXED', 'PERCENTAGE'),
        value: number,
        products: targets(['p0', 'p1', 'p2'], ['o2', 'o3']),
      })
    case 'customers':
      return create({ firstName: text, lastName: text, email: fc.constantFrom('a@example.com', 'nobody') })
    case 'tags':
      return create({ metadata: fc.array(fc.record({ key: text, value: text }), { maxLength: 2 }) })
    default:
      return create({ ...titled, url: fc.constantFrom('https://a.example.com/w', 'no address'), active: fc.boolean() })
  }
}
const isLabel = (value: unknown): value is Label => typeof value === 'string' && /^[mpo]\d$/.test(value)
export function toNamed(body: Record<string, unknown>, names: Names): Record<string, unknown> {
  const visit = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(visit)
      : typeof value === 'object' && value !== null
        ? toNamed({ ...value }, names)
        : isLabel(value)
          ? names(value)
          : value
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, visit(value)]))
}

/** `o0` and `o1` create modifiers, `o2` and `o3` products, the others anything that nothing names. */
const created = ['modifiers', 'modifiers', 'products', 'products', 'menus', 'coupons', 'tags', 'customers', 'webhooks']
export const operations = fc
  .record({
    creates: fc.tuple(
      ...created.map((resource, n) =>
        fc.record({
          op: fc.constantFrom('create' as const, 'upsert' as const),
          resource: fc.constant(resource),
          label: fc.constant(`o${n}`),
          externalId: fc.constantFrom(`new ${n}`, 'TAKEN'),
          body: bodyOf(resource, false),
        }),
      ),
    ),
    kept: fc.uniqueArray(fc.nat(created.length - 1)),
    changes: fc.tuple(
      ...labels.map((label) =>
        fc.record({
          op: fc.constantFrom('update' as const, 'delete' as const, 'none' as const, 'none' as const),
          label: fc.constant(label),
          resource: fc.constant(resourceOf(label)),
          body: bodyOf(resourceOf(label), true),
        }),
      ),
    ),
  })
  .map(({ creates, kept, changes }) => {
    const all: Planned[] = changes.flatMap(({ op, ...change }) => (op === 'none' ? [] : [{ ...change, op }]))
    const deletes = all.filter(({ op }) => op === 'delete').map(({ label }) => label)
    // One by one, an object that is pruned twice, or pruned and changed, gets as many versions. In a batch it gets one.
    const isPrunedOnce = ({ op, label }: Planned) => {
      const lost = named[label]?.filter((target) => deletes.includes(target)).length ?? 0
      return op !== 'update' || lost === 0
    }
    const pruned = Object.values(named).every(
      (targets) => targets.filter((target) => deletes.includes(target)).length < 2,
    )
    const first = pruned ? all.filter(isPrunedOnce) : all.filter(({ op }) => op === 'update')
    const isDeleted = (target: Label) => first.some(({ op, label }) => op === 'delete' && label === target)
    const isPruned = (resource: string) =>
      labels.some((label) => resourceOf(label) === resource && named[label]?.some(isDeleted))
    // An upsert of an object that another operation changes fails the whole batch.
    const isFree = (resource: string) => !isPruned(resource) && !first.some((change) => change.resource === resource)
    const upserts = creates.map((create) => ({
      ...create,
      externalId: isFree(create.resource) ? create.externalId : `new ${create.label}`,
    }))
    return [...first, ...upserts.filter((_, n) => kept.includes(n))]
  })

const order = ['modifiers', 'products', 'menus', 'coupons', 'customers', 'tags', 'webhooks']
/** The order that a batch has: deletions, owners first; creates, targets first; updates. */
export function inOrder(planned: readonly Planned[]): Planned[] {
  const rank = ({ op, resource }: Planned) => {
    const place = order.indexOf(resource)
    return op === 'delete' ? -place : op === 'update' ? 20 + place : 10 + place
  }
  return planned.toSorted((a, b) => rank(a) - rank(b))
}
