import type * as z from 'zod'
import type { Draft, RenderContext, ResourceDefinition } from '../resource/definition.ts'
import { applyPatch } from '../resource/merge-patch.ts'
import type * as resources from '../resources/registry.ts'

type Collection = keyof typeof resources
type Bodies<Kind extends 'create' | 'update'> = {
  readonly [Name in Collection]: z.core.input<(typeof resources)[Name][Kind]['schema']>
}

/** An id as the service makes them, though the same one whenever it is asked for. */
export const exampleId = (prefix: string) => `${prefix}_01kajqb2kefz3t5ydm0pg6n9rw`

/** The moment at which everything in the examples happens. */
export const exampleTime = new Date('2026-11-21T09:00:00Z')
export const exampleSeconds = exampleTime.getTime() / 1000

/** A body that creates one of each. */
export const exampleBodies: Bodies<'create'> = {
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

/** A body that changes one of each. */
export const exampleUpdates: Bodies<'update'> = {
  products: { price: 3.8 },
  modifiers: { instructions: 'Choose your milk' },
  menus: { end: '1200' },
  coupons: { active: false },
  customers: { phone: null },
  tags: { metadata: [{ key: 'table', value: '5' }] },
  webhooks: { events: ['*'] },
}

/** What an ordering system may publish. */
export const exampleOrder = { orderId: '1234', total: 12.5 }

/** What the service draws by lot, drawn for good. */
const generatedExamples: Readonly<Partial<Record<ResourceDefinition['name'], Draft>>> = {
  tag: { code: '7KQ2M5XZ8CE4FA9R' },
  webhook: {
    bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
    secrets: [{ secret: `whsec_${btoa('ExampleExampleExampleExa')}` }],
  },
}

/** What examples need of a resource. */
export interface ExampleResource extends Pick<ResourceDefinition, 'name' | 'idPrefix' | 'hooks'> {
  create: { schema: { parse(body: unknown): Draft } }
  item: { parse(item: unknown): object }
  toView(item: object, renderContext: RenderContext): { id?: unknown }
  toFullView(item: object, renderContext: RenderContext): object | Promise<object>
  toCreatedOnly(item: object): object
}

const sign = async () => 'v3ja8k2m9qxr5tbw'
const exampleContext: RenderContext = { baseUrl: 'https://menu.example', sign }

/** An object as it stands in lists and events, as retrieve shows it, and as create does. */
export async function createExample(resource: ExampleResource, body: unknown, besides: Draft = {}) {
  const { name, hooks, idPrefix, create, item, toView: present, toFullView: reveal, toCreatedOnly } = resource
  const draft = applyPatch({ hooks }, {}, create.schema.parse(body))
  const made = { id: exampleId(idPrefix), testMode: false, createdAt: exampleSeconds, updatedAt: exampleSeconds }
  const stored = JSON.stringify({
    ...hooks.complete(draft),
    ...hooks.generate(),
    ...generatedExamples[name],
    ...made,
    ...besides,
  })
  const parsed = item.parse(
    JSON.parse(stored.replace(/"([a-z]+)_[0-9a-hjkmnp-tv-z]{26}"/g, (_, prefix) => `"${exampleId(prefix)}"`)),
  )
  const full = await reveal(parsed, exampleContext)
  return { view: present(parsed, exampleContext), full, created: { ...full, ...toCreatedOnly(parsed) } }
}
