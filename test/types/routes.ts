import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type ApplyGlobalResponse, hc, type InferRequestType, type InferResponseType } from 'hono/client'
import * as z from 'zod/mini'
import type { createClient, createOperator } from '../../packages/client/src/client.ts'
import type * as model from '../../packages/client/src/models.ts'
import type { App } from '../../src/app/app.ts'
import type { EventName } from '../../src/catalogue/events/event-types.ts'
import { baseFields, defineResource } from '../../src/catalogue/resource/define-resource.ts'
import { baseColumns } from '../../src/platform/db/schema/resource-columns.ts'
import type { ProblemCode, problems } from '../../src/platform/errors.ts'
import type { Problem } from '../../src/platform/http/problem-details.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** `true` when `any` hides in T, six levels deep (JSON values are recursive). */
type HasAny<T, Depth extends unknown[] = []> = Depth['length'] extends 6
  ? false
  : 0 extends 1 & T
    ? true
    : T extends readonly (infer E)[]
      ? HasAny<E, [...Depth, 0]>
      : T extends object
        ? true extends { [K in keyof T]-?: HasAny<T[K], [...Depth, 0]> }[keyof T]
          ? true
          : false
        : false
const assert = <T extends true>(): T | undefined => undefined

// The checks themselves: they find what they look for.
assert<Equal<HasAny<{ a: { b: unknown[] }[] }>, false>>()
// biome-ignore lint/suspicious/noExplicitAny: the test looks for `any`
assert<Equal<HasAny<{ a?: { b: any[] }[] }>, true>>()

/** The error responses of every operation. */
type ErrorResponses = { [Status in (typeof problems)[ProblemCode][0]]: { json: Problem } }
const client = hc<ApplyGlobalResponse<App, ErrorResponses>>('https://api.example')
type Api = (typeof client)['merchants'][':merchantId']
type Names = 'products' | 'modifiers' | 'menus' | 'coupons' | 'customers' | 'tags' | 'webhooks'
type Json<Call> = InferRequestType<Call> extends { json: infer Body } ? Body : never
type Query<R extends Names> = InferRequestType<Api[R]['$get']> extends { query: infer Q } ? Q : never
type Create<R extends Names> = Json<Api[R]['$post']>
type Update<R extends Names> = Json<Api[R][':id']['$post']>
type Listed<R extends Names> = InferResponseType<Api[R]['$get'], 200>
type Created<R extends Names> = InferResponseType<Api[R]['$post'], 201>
type One<R extends Names> = InferResponseType<Api[R][':id']['$get'], 200>
type Updated<R extends Names> = InferResponseType<Api[R][':id']['$post'], 200>
type Removed<R extends Names> = InferResponseType<Api[R][':id']['$delete'], 200>
type Everything<R extends Names> = {
  query: Query<R>
  create: Create<R>
  update: Update<R>
  listed: Listed<R>
  created: Created<R>
  one: One<R>
  updated: Updated<R>
  removed: Removed<R>
}

// Every resource, every operation: known to the client, and nowhere `any` or `never`.
assert<Equal<{ [R in Names]: HasAny<Everything<R>> }[Names], false>>()
assert<
  Equal<
    {
      [R in Names]: {
        [K in keyof Everything<R>]: [Everything<R>[K]] extends [never] ? K : 'known'
      }[keyof Everything<R>]
    }[Names],
    'known'
  >
>()
// A webhook's secret is shown once.
assert<Equal<{ [R in Exclude<Names, 'webhooks'>]: Equal<Created<R>, One<R>> }[Exclude<Names, 'webhooks'>], true>>()
assert<Same<Created<'webhooks'>, One<'webhooks'> & { secret: string }>>()
assert<Equal<{ [R in Names]: Equal<Listed<R>[number], Updated<R>> }[Names], true>>()
// Of a damaged object only the id is certain.
assert<Equal<{ [R in Names]: Equal<Removed<R>['object'], Updated<R> | { id: string }> }[Names], true>>()
assert<Equal<{ [R in Names]: Equal<Removed<R>['deleted'], true> }[Names], true>>()
assert<Equal<{ [R in Names]: Equal<keyof Removed<R>, 'id' | 'object' | 'message' | 'deleted'> }[Names], true>>()
// Tags of an earlier system carry a timestamp instead.
assert<Equal<{ [R in Exclude<Names, 'tags'>]: One<R>['createdAt'] }[Exclude<Names, 'tags'>], number>>()
assert<Equal<One<'tags'>['createdAt'], number | undefined>>()
assert<Equal<{ [R in Names]: One<R>['testMode'] }[Names], boolean>>()

// The types of the client, which are made of the document, are those of the routes.
type Given<T> = T extends object ? { -readonly [K in keyof T]: Given<Exclude<T[K], undefined>> } : T
type Same<A, B> = [Given<A>] extends [Given<B>] ? ([Given<B>] extends [Given<A>] ? true : false) : false
interface Models {
  products: [model.ProductCreate, model.ProductUpdate, model.Product, model.Product]
  modifiers: [model.ModifierCreate, model.ModifierUpdate, model.Modifier, model.Modifier]
  menus: [model.MenuCreate, model.MenuUpdate, model.Menu, model.Menu]
  coupons: [model.CouponCreate, model.CouponUpdate, model.Coupon, model.Coupon]
  customers: [model.CustomerCreate, model.CustomerUpdate, model.Customer, model.Customer]
  tags: [model.TagCreate, model.TagUpdate, model.Tag, model.TagFull]
  webhooks: [model.WebhookCreate, model.WebhookUpdate, model.Webhook, model.WebhookFull]
}
assert<Equal<Same<{ a?: string }, { a?: number }>, false>>()
assert<Equal<Same<{ a?: string | undefined }, { a?: string }>, true>>()
assert<Equal<{ [R in Names]: Same<Create<R>, Models[R][0]> }[Names], true>>()
assert<Equal<{ [R in Names]: Same<Update<R>, Models[R][1]> }[Names], true>>()
assert<Equal<{ [R in Names]: Same<Updated<R>, Models[R][2]> }[Names], true>>()
assert<Equal<{ [R in Names]: Same<One<R>, Models[R][3]> }[Names], true>>()
assert<Same<Created<'webhooks'>, model.WebhookCreated>>()
assert<Same<Problem, model.Problem>>()

// Requests take what the document's examples send, responses have one type.
assert<Equal<Create<'products'>['price'], string | number>>()
assert<Equal<One<'products'>['price'], number>>()
assert<Equal<Update<'products'>['price'], string | number | undefined>>()
assert<Equal<Update<'products'>['visible'], boolean | 0 | 1 | null | undefined>>()
assert<Equal<One<'products'>['visible'], boolean>>()
assert<Equal<One<'products'>['images'], { url: string }[]>>()
assert<Equal<One<'products'>['sku'], string | undefined>>()
assert<Equal<Create<'coupons'>['type'], 'PERCENTAGE' | 'FIXED'>>()
assert<Equal<NonNullable<Create<'modifiers'>['type']>, 'CHECKBOX' | 'RADIO'>>()
assert<Equal<NonNullable<Create<'webhooks'>['events']>[number], EventName | '*'>>()
assert<Equal<One<'menus'>['sections'][number]['items'], string[]>>()
assert<Equal<One<'tags'>['alias'], string[]>>()

// Only the responses to create and retrieve contain the secret.
assert<Equal<One<'webhooks'>['bearerToken'], string>>()
assert<Equal<Extract<keyof Updated<'webhooks'>, 'bearerToken'>, never>>()

// An optional field takes null, a required one does not.
assert<Equal<null extends Update<'products'>['description'] ? true : false, true>>()
assert<Equal<null extends Update<'customers'>['email'] ? true : false, true>>()
assert<Equal<null extends Update<'products'>['title'] ? true : false, false>>()
assert<Equal<null extends Update<'coupons'>['value'] ? true : false, false>>()

// Clients may set `testMode` on tags only.
assert<Equal<{ [R in Names]: 'testMode' extends keyof Create<R> ? R : never }[Names], 'tags'>>()
assert<Equal<{ [R in Names]: 'testMode' extends keyof Update<R> ? R : never }[Names], 'tags'>>()

// Each list has its own filters beside what all of them know.
type Common = 'limit' | 'cursor' | 'order' | 'ids' | 'externalIds' | 'include' | 'updatedSince' | 'q' | 'deleted'
type Filters<R extends Names> = Exclude<keyof Query<R>, Common>
assert<Equal<{ [R in Names]: Exclude<Common, keyof Query<R>> }[Names], never>>()
assert<Equal<Filters<'products'>, 'visible' | 'sku' | 'upc' | 'modifier' | 'menu' | 'label'>>()
assert<Equal<Filters<'modifiers'>, never>>()
assert<Equal<Filters<'menus'>, 'visible' | 'product'>>()
assert<Equal<Filters<'coupons'>, 'code' | 'active' | 'product'>>()
assert<Equal<Filters<'customers'>, 'email' | 'phone'>>()
assert<Equal<Filters<'tags'>, 'nfc' | 'testMode'>>()
assert<Equal<Filters<'webhooks'>, 'active'>>()

// Errors are part of every operation's type, by status.
assert<Equal<{ [R in Names]: InferResponseType<Api[R][':id']['$get'], 404> }[Names], Problem>>()
assert<Equal<{ [R in Names]: InferResponseType<Api[R]['$post'], 422> }[Names], Problem>>()
assert<Equal<Problem['code'], ProblemCode>>()
assert<Equal<string extends ProblemCode ? true : false, false>>()

const api = client.merchants[':merchantId']
const param = { merchantId: 'mer' }
const one = { param: { merchantId: 'mer', id: 'prod' } }

/** Never called: what follows is for the compiler. */
export async function requests() {
  await api.products.$post({ param, json: { title: 'Tea', price: '4.50', visible: 0, metadata: null } })
  await api.products.$get({ param, query: { sku: 'T', limit: '10' } })
  await api.products[':id'].$post({ ...one, json: { description: null } })
  await api.tags[':id'].$post({ ...one, json: { testMode: true } })

  // @ts-expect-error the title is required on create
  await api.products.$post({ param, json: { price: 1 } })
  // @ts-expect-error there is one type of product
  await api.products.$post({ param, json: { title: 'x', price: 1, type: 'OTHER' } })
  // @ts-expect-error not a field
  await api.products.$post({ param, json: { title: 'x', price: 1, colour: 'red' } })
  // @ts-expect-error not a field of an option
  await api.modifiers.$post({ param, json: { title: 'x', instructions: '', options: [{ price: 1 }] } })
  // @ts-expect-error not an event
  await api.webhooks.$post({ param, json: { title: 'x', url: 'https://x', events: ['nope'] } })
  // @ts-expect-error the id is not writable
  await api.products[':id'].$post({ ...one, json: { id: 'y' } })
  // @ts-expect-error the bearer token is not writable
  await api.webhooks[':id'].$post({ ...one, json: { bearerToken: 'y' } })
  // @ts-expect-error the mode of a webhook is not writable
  await api.webhooks[':id'].$post({ ...one, json: { testMode: true } })
  // @ts-expect-error a required field cannot be cleared
  await api.products[':id'].$post({ ...one, json: { title: null } })
  // @ts-expect-error the merchant is required
  await api.products.$get({ query: {} })
  // @ts-expect-error customers have no sku
  await api.customers.$get({ param, query: { sku: 'T' } })
  // @ts-expect-error no such order
  await api.customers.$get({ param, query: { order: 'random' } })
  // @ts-expect-error there are seven resources
  await api.orders.$get({ param, query: {} })

  const response = await api.menus[':id'].$get(one)
  if (response.status === 404) assert<Equal<Awaited<ReturnType<typeof response.json>>, Problem>>()
  if (response.ok) {
    const menu = await response.json()
    // @ts-expect-error a menu has no price
    menu.price
  }
}

/** Never called: types must reject returned objects as request bodies, spread ones included. */
export async function writes(client: ReturnType<typeof createClient>, operator: ReturnType<typeof createOperator>) {
  const product = await client.products.retrieve('prod')
  const { id, testMode, createdAt, updatedAt, ...fields } = product
  await client.products.update(id, { ...fields, price: '2.50' })
  await client.products.create({ ...fields, image: true })
  await client.products.update(id, { title: undefined, description: null })
  await client.products.edit(id, ({ price }) => ({ price: price + 1 }))
  await client.tags.update('tag', { testMode: true })
  // @ts-expect-error `id` and three more are read-only
  await client.products.update(id, { ...product })
  // @ts-expect-error the same of a variable
  await client.products.update(id, product)
  // @ts-expect-error one read-only field is enough
  await client.products.update(id, { ...fields, createdAt })
  // @ts-expect-error a copy is made of what is writable
  await client.products.create({ ...product })
  // @ts-expect-error what a change is made of, too
  await client.products.edit(id, (current) => ({ ...current, price: 1 }))
  const webhook = await client.webhooks.retrieve('wh')
  // @ts-expect-error the token is rotated, not set
  await client.webhooks.update(webhook.id, { bearerToken: webhook.bearerToken, title: 'x' })
  // @ts-expect-error a tag's addresses are made of its code
  await client.tags.update('tag', { ...(await client.tags.retrieve('tag')) })
  // @ts-expect-error a merchant's too
  await operator.merchants.update('mer', { ...(await operator.merchants.retrieve('mer')) })
  return [testMode, createdAt, updatedAt]
}

// A table and its fields must agree: one case for each way they can differ.
const fields = z.strictObject({ title: z.string(), price: z.nullish(z.number()) })
const item = z.object({ ...baseFields, title: z.string(), price: z.optional(z.number()) })
const hooks = { searchTexts: () => ({ names: [] }) }
const rest = {
  name: 'product',
  fields,
  item,
  createOnly: {},
  filters: {},
  examples: { create: { title: 'x' }, update: {} },
  hooks,
} as const
const title = text().notNull()
defineResource({ ...rest, table: sqliteTable('a', { ...baseColumns, title, price: real() }) })
// @ts-expect-error the price has no column
defineResource({ ...rest, table: sqliteTable('b', { ...baseColumns, title }) })
// @ts-expect-error the title is a number in the table
defineResource({ ...rest, table: sqliteTable('c', { ...baseColumns, title: integer().notNull(), price: real() }) })
// @ts-expect-error the price is optional in the fields and required in the table
defineResource({ ...rest, table: sqliteTable('d', { ...baseColumns, title, price: real().notNull() }) })
// @ts-expect-error no base columns
defineResource({ ...rest, table: sqliteTable('e', { title, price: real() }) })
// @ts-expect-error not the name of a resource
defineResource({ ...rest, name: 'order', table: sqliteTable('f', { ...baseColumns, title, price: real() }) })
