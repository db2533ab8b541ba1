import type * as z from 'zod'
import { settle } from '../core/draft.ts'
import type { Draft, Kept, Presentation } from '../core/resource.ts'
import type * as resources from '../resources/index.ts'

type Collection = keyof typeof resources
type Bodies = { readonly [Name in Collection]: z.core.input<(typeof resources)[Name]['create']['schema']> }

/** An id as the service makes them, though the same one whenever it is asked for. */
export const exampleId = (prefix: string) => `${prefix}_01kajqb2kefz3t5ydm0pg6n9rw`

/** The moment at which everything in the examples happens. */
export const exampleTime = new Date('2026-11-21T09:00:00Z')
export const exampleSeconds = exampleTime.getTime() / 1000

/** A body that creates one of each. */
export const bodies: Bodies = {
  products: {
    title: 'Flat white',
    price: 3.5,
    sku: 'COF-02',
    calories: 120,
    metadata: [{ key: 'milk', value: 'whole' }],
  },
  modifiers: {
    title: 'Milk',
    instructions: 'Choose one',
    type: 'RADIO',
    options: [
      { id: 'oat', label: 'Oat', additionalCost: 0.4 },
      { id: 'whole', label: 'Whole', preSelected: true },
    ],
  },
  menus: {
    title: 'Breakfast',
    begin: '0700',
    end: '1130',
    sections: [{ title: 'Coffee', items: [exampleId('prod')] }],
  },
  coupons: { title: 'Ten per cent off', code: 'TEN', type: 'PERCENTAGE', value: 10 },
  customers: { firstName: 'Zoë', lastName: 'Núñez', email: 'zoe@example.com', phone: '+44 20 7946 0000' },
  tags: { metadata: [{ key: 'table', value: '4' }] },
  webhooks: { title: 'Point of sale', url: 'https://pos.example.com/webhooks', events: ['order.created'] },
}

/** What the service draws by lot, drawn for good. */
const drawn: Readonly<Partial<Record<Kept['name'], Draft>>> = {
  tag: { code: '7KQ2M5XZ8CE4FA9R' },
  webhook: { bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0' },
}

/** What examples need of a resource. */
interface Exemplary extends Pick<Kept, 'name' | 'idPrefix' | 'hooks'> {
  create: { schema: { parse(body: unknown): Draft } }
  item: { parse(item: unknown): object }
  present(item: object, presentation: Presentation): object
  reveal(item: object, presentation: Presentation): object | Promise<object>
}

const sign = async () => 'v3ja8k2m9qxr5tbw'
const presentation: Presentation = { baseUrl: 'https://menu.example', sign }

/** An object as it stands in lists and events, and as create and retrieve show it. */
export async function exampleOf(resource: Exemplary, body: unknown): Promise<{ view: object; full: object }> {
  const { name, hooks, idPrefix, create, item, present, reveal } = resource
  const draft = settle({ hooks }, {}, create.schema.parse(body))
  const made = { id: exampleId(idPrefix), testMode: false, createdAt: exampleSeconds, updatedAt: exampleSeconds }
  const stored = JSON.stringify({ ...hooks.complete(draft), ...hooks.generate(), ...drawn[name], ...made })
  const parsed = item.parse(
    JSON.parse(stored.replace(/"([a-z]+)_[0-9a-hjkmnp-tv-z]{26}"/g, (_, prefix) => `"${exampleId(prefix)}"`)),
  )
  return { view: present(parsed, presentation), full: await reveal(parsed, presentation) }
}
