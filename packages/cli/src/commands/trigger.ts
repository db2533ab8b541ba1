import { randomUUID } from 'node:crypto'
import type { Client } from 'merchant-ordering-client'
import { type Command, requireWord } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A unique text, for codes and references. */
const unique = () => randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()
const title = 'Made by trigger'

/** Creates one object of each resource. */
const creators = {
  product: (client: Client) => client.products.create({ title, price: 1, manageStock: true, stockQuantity: 5 }),
  modifier: (client: Client) => client.modifiers.create({ title, instructions: '' }),
  menu: (client: Client) => client.menus.create({ title }),
  coupon: (client: Client) => client.coupons.create({ title, code: unique(), type: 'PERCENTAGE', value: 10 }),
  customer: (client: Client) => client.customers.create({ firstName: 'Trigger', lastName: unique() }),
  tag: (client: Client) => client.tags.create({ nfc: false }),
  webhook: (client: Client) =>
    client.webhooks.create({ title, url: 'https://example.com/hook', events: [], active: false }),
} as const

const redeem = async (client: Client) => {
  const { code } = await creators.coupon(client)
  return client.redemptions.create({ code, order: unique() })
}

interface NamedOption {
  modifier: string
  option: string
}
const createOption = async (client: Client): Promise<NamedOption> => {
  const { id, options } = await client.modifiers.create({ title, instructions: '', options: [{ label: 'Oat' }] })
  return { modifier: id, option: options[0]?.id ?? '' }
}
const markOption = (client: Client, { modifier, option }: NamedOption, soldOut: boolean) =>
  client.modifiers.setAvailability(modifier, { [option]: { soldOut } })

/** Functions that raise each event through real changes of test objects. */
export const triggers: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  ...Object.fromEntries(
    (['order.created', 'order.updated', 'order.cancelled', 'order.completed'] as const).map((type) => [
      type,
      (client: Client) => client.events.publish(type, { id: unique(), items: [], total: 0 }),
    ]),
  ),
  ...Object.fromEntries(Object.entries(creators).map(([name, create]) => [`${name}.created`, create])),
  'product.updated': async (client) => client.products.update((await creators.product(client)).id, { price: 2 }),
  'modifier.updated': async (client) =>
    client.modifiers.update((await creators.modifier(client)).id, { title: unique() }),
  'menu.updated': async (client) => client.menus.update((await creators.menu(client)).id, { title: unique() }),
  'coupon.updated': async (client) => client.coupons.update((await creators.coupon(client)).id, { value: 20 }),
  'customer.updated': async (client) =>
    client.customers.update((await creators.customer(client)).id, { firstName: unique() }),
  'tag.updated': async (client) => client.tags.update((await creators.tag(client)).id, { nfc: true }),
  'webhook.updated': async (client) => client.webhooks.update((await creators.webhook(client)).id, { title: unique() }),
  'product.deleted': async (client) => client.products.delete((await creators.product(client)).id),
  'modifier.deleted': async (client) => client.modifiers.delete((await creators.modifier(client)).id),
  'menu.deleted': async (client) => client.menus.delete((await creators.menu(client)).id),
  'coupon.deleted': async (client) => client.coupons.delete((await creators.coupon(client)).id),
  'customer.deleted': async (client) => client.customers.delete((await creators.customer(client)).id),
  'tag.deleted': async (client) => client.tags.delete((await creators.tag(client)).id),
  'webhook.deleted': async (client) => client.webhooks.delete((await creators.webhook(client)).id),
  'customer.erased': async (client) => client.customers.erase((await creators.customer(client)).id),
  'stock.changed': async (client) => {
    const { id } = await creators.product(client)
    return client.stock.adjust({ reference: unique(), reason: 'sale', changes: [{ product: id, delta: -1 }] })
  },
  'product.sold_out': async (client) => client.products.soldOut((await creators.product(client)).id),
  'product.back_in_stock': async (client) => {
    const { id } = await creators.product(client)
    await client.products.soldOut(id)
    return client.products.available(id)
  },
  'option.sold_out': async (client) => markOption(client, await createOption(client), true),
  'option.back_in_stock': async (client) => {
    const named = await createOption(client)
    await markOption(client, named, true)
    return markOption(client, named, false)
  },
  'service.paused': (client) => client.service.pause(undefined, { message: unique() }),
  'service.resumed': async (client) => {
    await client.service.pause()
    return client.service.resume()
  },
  'release.published': async (client) => {
    const body = { title, price: 1 }
    const { id } = await client.releases.create({ title, operations: [{ op: 'create', resource: 'products', body }] })
    return client.releases.publish(id)
  },
  'coupon.redeemed': redeem,
  'coupon.released': async (client) => client.redemptions.release((await redeem(client)).id),
  'coupon.limit_reached': async (client) => {
    const { id, code } = await creators.coupon(client)
    await client.coupons.setLimits(id, { maxRedemptions: 1 })
    return client.redemptions.create({ code, order: unique() })
  },
}

export const triggerCommand: Command = {
  name: 'trigger',
  usage: '<event>',
  summary: 'Makes a change in test mode that raises an event',
  choices: Object.keys(triggers),
  details: `The objects are real test objects, titled "${title}". It needs a test key.\nEvents: ${Object.keys(triggers).join(', ')}`,
  examples: ['trigger product.updated', 'trigger order.created'],
  async run(context) {
    const name = requireWord(context, 'the name of an event')
    const trigger = triggers[name]
    if (!trigger) throw new UsageError(`The event ${name} has no trigger. Events: ${Object.keys(triggers).join(', ')}.`)
    const { key } = await context.findProfile()
    if (!key.startsWith('sk_test_'))
      throw new UsageError('trigger changes test objects. Sign in with a test key (sk_test_…).')
    const result = await trigger(await context.connect())
    if (context.output.isJson && typeof result === 'object' && result !== null) context.output.object(result)
    else context.output.print(`Raised ${name}.`)
  },
}
