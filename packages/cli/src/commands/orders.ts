import { type Command, type Context, dataOption, requireFirstWord, requireWord, textOf, withId } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { readBody } from '../fields.ts'
import { limitOption, printList } from '../list.ts'

/** Commands for a till. The service checks the bodies. */
interface Till {
  products: { soldOut(id: string, until?: string): Promise<object> }
  quotes: { create(body: object): Promise<object> }
  stock: { adjust(body: object): Promise<object>; list(filter: object): AsyncIterable<object> }
  coupons: {
    createCodes(id: string, body: object): Promise<object>
    codes(id: string, query: object): AsyncIterable<object>
  }
  redemptions: { create(body: object): Promise<object>; list(filter: object): AsyncIterable<object> }
  orders: {
    cancel(reference: string, options: { data?: object }): Promise<object>
    update(data: object, options: object): Promise<object>
    complete(data: object): Promise<object>
  }
}

const open = async (context: Context): Promise<Till> => context.connect()

/** A command that sends a body. */
const withBody = (
  name: string,
  command: Pick<Command, 'usage' | 'summary' | 'details' | 'examples'>,
  send: (till: Till, body: object) => Promise<object>,
): Command => ({
  ...command,
  name,
  options: dataOption,
  async run(context) {
    const body = await readBody(textOf(context, 'data'), context.words)
    if (Object.keys(body).length === 0) throw new UsageError('Missing fields.')
    context.output.object(await send(await open(context), body))
  },
})

const item = '{"product":"prod_…","quantity":2}'

/** Commands for availability, stock, quotes, redemptions and orders. */
export const orderCommands: readonly Command[] = [
  withId('products availability', 'Shows whether a product is sold out', ({ products }, id) =>
    products.availability(id),
  ),
  {
    name: 'products sold-out',
    usage: '<id>',
    summary: 'Marks a product as sold out',
    options: { until: { value: 'TIME', description: 'tomorrow, further_notice (default) or a time in seconds' } },
    examples: ['products sold-out ID', 'products sold-out ID --until tomorrow'],
    async run(context) {
      const id = requireWord(context, 'an id')
      context.output.object(await (await open(context)).products.soldOut(id, textOf(context, 'until')))
    },
  },
  withId('products available', 'Removes the mark as sold out', ({ products }, id) => products.available(id)),
  {
    name: 'stock list',
    usage: '[filter=value…]',
    summary: 'Lists products that are sold out, or low in stock',
    options: limitOption,
    examples: ['stock list', 'stock list state=low below=5'],
    async run(context) {
      const { stock } = await open(context)
      await printList(context, stock.list, { columns: ['product', 'title', 'stockQuantity', 'soldOut', 'until'] })
    },
  },
  withBody(
    'stock adjust',
    {
      usage: 'reference=… reason=… changes=…',
      summary: 'Changes the stock of products in one transaction, once for each reference',
      details: 'Reasons: sale, return, waste, delivery, count. A change has delta, or set for the new stock.',
      examples: [`stock adjust reference=order-1234 reason=sale changes='[{"product":"prod_…","delta":-2}]'`],
    },
    ({ stock }, body) => stock.adjust(body),
  ),
  withBody(
    'quotes create',
    {
      usage: 'items=… [field=value…]',
      summary: 'Prices an order. Stores nothing',
      examples: [`quotes create items='[${item}]' coupons='["TEN"]'`, 'quotes create --data @order.json --json'],
    },
    ({ quotes }, body) => quotes.create(body),
  ),
  {
    name: 'coupons make-codes',
    usage: '<id> count=… [field=value…]',
    summary: 'Makes single-use codes of a coupon',
    details: 'Prints the batch. coupons codes prints its codes.',
    options: dataOption,
    examples: ['coupons make-codes ID count=500 prefix=SPRING-'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      const body = await readBody(textOf(context, 'data'), rest)
      context.output.object(await (await open(context)).coupons.createCodes(id, body))
    },
  },
  {
    name: 'coupons codes',
    usage: '<id> batch=…',
    summary: 'Prints the codes of a batch with their states',
    options: limitOption,
    examples: ['coupons codes ID batch=BATCH'],
    async run(context) {
      const { word: id, rest: words } = requireFirstWord(context, 'an id')
      const { coupons } = await open(context)
      await printList(context, (filter) => coupons.codes(id, filter), {
        columns: ['code', 'state', 'redemption'],
        words,
      })
    },
  },
  {
    name: 'redemptions list',
    usage: '[filter=value…]',
    summary: 'Lists redemptions of coupons',
    options: limitOption,
    examples: ['redemptions list state=held', 'redemptions list order=order-1234'],
    async run(context) {
      const { redemptions } = await open(context)
      await printList(context, redemptions.list, { columns: ['id', 'code', 'order', 'state', 'amount', 'customer'] })
    },
  },
  withId('redemptions get', 'Shows a redemption', ({ redemptions }, id) => redemptions.retrieve(id)),
  withBody(
    'redemptions create',
    {
      usage: 'code=… order=… [field=value…]',
      summary: 'Redeems a coupon for an order, or holds it',
      details: 'With hold=SECONDS the coupon is reserved until it is confirmed or released.',
      examples: [
        'redemptions create code=TEN order=order-1234',
        'redemptions create code=TEN order=order-1234 hold=300',
      ],
    },
    ({ redemptions }, body) => redemptions.create(body),
  ),
  {
    name: 'orders cancel',
    usage: '<reference> [field=value…]',
    summary: 'Cancels an order, gives back its stock and releases its redemptions, once',
    details: 'The fields are the data of the event order.cancelled. Default: reference.',
    options: dataOption,
    examples: ['orders cancel order-1234', "orders cancel order-1234 orderId=1234 reason='The guest left.'"],
    async run(context) {
      const { word: reference, rest } = requireFirstWord(context, 'the reference of the order')
      const data = await readBody(textOf(context, 'data'), rest)
      const { orders } = await open(context)
      context.output.object(await orders.cancel(reference, Object.keys(data).length > 0 ? { data } : {}))
    },
  },
  {
    name: 'orders update',
    usage: 'field=value…',
    summary: 'Tells the webhooks that an order has changed, and makes the difference of its effects',
    details: `The fields are the data of the event order.updated. The effects are all that the order takes and redeems from now on,
with replace (the reference of the order) and revision, which increases with each change.`,
    options: { ...dataOption, effects: { value: 'JSON|@FILE', description: 'What the order takes instead' } },
    examples: [
      'orders update orderId=1234 table=7',
      `orders update orderId=1234 --effects '{"replace":"1234","revision":1,"stock":{"changes":[{"product":"prod_…","delta":-3}]}}'`,
    ],
    async run(context) {
      const data = await readBody(textOf(context, 'data'), context.words)
      if (Object.keys(data).length === 0) throw new UsageError('Missing fields.')
      const given = textOf(context, 'effects')
      const effects = given === undefined ? {} : { effects: await readBody(given, []) }
      context.output.object(await (await open(context)).orders.update(data, effects))
    },
  },
  withBody(
    'orders complete',
    {
      usage: 'field=value…',
      summary: 'Tells the webhooks that an order is completed',
      details: 'The fields are the data of the event order.completed.',
      examples: ['orders complete orderId=1234'],
    },
    ({ orders }, data) => orders.complete(data),
  ),
  withId('redemptions confirm', 'Redeems a held coupon', ({ redemptions }, id) => redemptions.confirm(id)),
  withId('redemptions release', 'Releases a hold, or takes a redemption back', ({ redemptions }, id) =>
    redemptions.release(id),
  ),
]
