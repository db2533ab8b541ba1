import type { Client } from 'merchant-ordering-client'
import { type Command, dataOption, requireFirstWord, textOf, withId } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { readBody } from '../fields.ts'

/** Operations on details of objects. The service checks the bodies. */
interface Detailed {
  details(id: string): Promise<object>
  updateDetails(id: string, fields: object, options?: object): Promise<object>
}

const detailedPaths = ['products', 'modifiers', 'menus', 'tags'] as const

const exampleFields = {
  products: `labels='["lunch"]' sizes='{"prices":{"l":{"price":4.2}}}'`,
  modifiers: `min=2 max=4 options='{"oat":{"allergens":[]}}'`,
  menus: `days='["sat","sun"]'`,
  tags: `url='https://order.example.com/terrace?table={tag}' orderType=takeaway`,
} as const

function createDetailCommands(path: (typeof detailedPaths)[number]): Command[] {
  const open = (client: Client): Detailed => client[path]
  return [
    withId(`${path} details`, `Shows the details of one of the ${path}`, (client, id) => open(client).details(id)),
    {
      name: `${path} update-details`,
      usage: '<id> [field=value…]',
      summary: `Merges fields into the details of one of the ${path}`,
      details: 'Objects merge by key at every depth, lists are replaced, null clears a field.',
      options: { ...dataOption, 'if-match': { value: 'ETAG', description: 'Fails if the details have changed since' } },
      examples: [`${path} update-details ID ${exampleFields[path]}`, `${path} update-details ID --data @details.json`],
      async run(context) {
        const { word: id, rest } = requireFirstWord(context, 'an id')
        const body = await readBody(textOf(context, 'data'), rest)
        if (Object.keys(body).length === 0) throw new UsageError('Missing fields.')
        const options = { ifMatch: textOf(context, 'if-match') }
        context.output.object(await open(await context.connect()).updateDetails(id, body, options))
      },
    },
  ]
}

const sizes: Command = {
  name: 'products sizes',
  usage: '<id>',
  summary: 'Lists the sizes of a product with their prices',
  details: 'Change a price with products update-details.',
  examples: ['products sizes ID', `products update-details ID sizes='{"prices":{"OPTION":{"price":4.2}}}'`],
  async run(context) {
    const { word: id } = requireFirstWord(context, 'an id')
    const client = await context.connect()
    const { sizes } = await client.products.details(id)
    const options = sizes ? ((await client.modifiers.retrieve(sizes.modifier)).options ?? []) : []
    const { options: marks } = sizes ? await client.modifiers.availability(sizes.modifier) : { options: {} }
    const rows = options.flatMap(({ id: option, label }) => {
      const size = sizes?.prices[option]
      return size ? [{ option, label, ...size, soldOut: marks[option]?.soldOut ?? false }] : []
    })
    const columns = ['option', 'label', 'price', 'sku', 'calories', 'soldOut']
    await context.output.list(rows, columns)
  },
}

/** Adds a label to products, or removes it. */
const withLabel = (name: string, summary: string, change: (labels: readonly string[], label: string) => string[]) => ({
  name,
  usage: '<label> <id>…',
  summary,
  details: 'products list label=… lists the products with a label, products list menu=… those of a menu.',
  examples: [`${name} lunch ID ID`],
  async run(context: Parameters<Command['run']>[0]) {
    const [label, ...ids] = context.words
    if (label === undefined || ids.length === 0) throw new UsageError('Missing a label and an id.')
    const { products } = await context.connect()
    for (const id of ids) {
      const { labels = [] } = await products.details(id)
      const changed = change(labels, label)
      await products.updateDetails(id, { labels: changed.length > 0 ? changed : null })
    }
    context.output.print(`Changed ${ids.length} product${ids.length === 1 ? '' : 's'}.`)
  },
})

/** Marks options of a modifier. */
const markOptions = (name: string, summary: string, soldOut: boolean): Command => ({
  name,
  usage: '<id> <option>…',
  summary,
  ...(soldOut && {
    options: { until: { value: 'TIME', description: 'tomorrow, further_notice (default) or a time in seconds' } },
  }),
  examples: [`${name} ID oat`, ...(soldOut ? [`${name} ID oat soy --until tomorrow`] : [])],
  async run(context) {
    const [id, ...options] = context.words
    if (id === undefined || options.length === 0) throw new UsageError('Missing an id and an option.')
    const until = textOf(context, 'until')
    const mark = { soldOut, ...(until !== undefined && { until: /^\d+$/.test(until) ? Number(until) : until }) }
    const { modifiers } = await context.connect()
    const marks = Object.fromEntries(options.map((option) => [option, mark]))
    context.output.object(await modifiers.setAvailability(id, marks))
  },
})

/** Commands for details, sizes, labels and options of dishes. */
export const dishCommands: readonly Command[] = [
  ...detailedPaths.flatMap(createDetailCommands),
  sizes,
  withLabel('products label', 'Adds a label to products', (labels, label) => [...new Set([...labels, label])]),
  withLabel('products unlabel', 'Removes a label from products', (labels, label) =>
    labels.filter((each) => each !== label),
  ),
  withId('modifiers availability', 'Shows which options of a modifier are sold out', ({ modifiers }, id) =>
    modifiers.availability(id),
  ),
  markOptions('modifiers sold-out', 'Marks options of a modifier as sold out', true),
  markOptions('modifiers available', 'Removes the marks of options as sold out', false),
]
