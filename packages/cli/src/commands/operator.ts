import { type Command, numberOf, requireWord, textOf } from '../command.ts'
import { UsageError } from '../errors.ts'
import { parseFields, readBody } from '../fields.ts'

const data = {
  data: { value: 'JSON|@FILE|-', description: 'The body as JSON, from a file or from the standard input' },
} as const

/** Commands of the operator. They need a profile of `login --operator`. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'merchants list',
    usage: '[filter=value…]',
    summary: 'Lists merchants (operator)',
    options: { limit: { value: 'N', description: 'Objects of one page' } },
    examples: ['merchants list q=bakery'],
    async run(context) {
      const limit = numberOf(context, 'limit')
      const list = (await context.connectOperator()).merchants.list({
        ...(limit && { limit }),
        ...(await parseFields(context.words)),
      })
      await context.output.list(limit === undefined ? list : (await list.page()).items)
    },
  },
  {
    name: 'merchants get',
    usage: '<id>',
    summary: 'Shows a merchant (operator)',
    examples: ['merchants get ID'],
    run: async (context) =>
      context.output.object(await (await context.connectOperator()).merchants.retrieve(requireWord(context, 'an id'))),
  },
  {
    name: 'merchants create',
    usage: 'name=… currency=… [field=value…]',
    summary: 'Creates a merchant (operator)',
    options: data,
    examples: ["merchants create name='Corner Bakery' currency=EUR timezone=Europe/Berlin"],
    async run(context) {
      const { name, currency, ...fields } = await readBody(textOf(context, 'data'), context.words)
      if (typeof name !== 'string' || typeof currency !== 'string') throw new UsageError('Missing name and currency.')
      context.output.object(await (await context.connectOperator()).merchants.create({ name, currency, ...fields }))
    },
  },
  {
    name: 'merchants update',
    usage: '<id> [field=value…]',
    summary: 'Updates a merchant (operator)',
    options: data,
    examples: ['merchants update ID name=Bakery'],
    async run(context) {
      const [id, ...words] = context.words
      if (id === undefined || id.includes('=')) throw new UsageError('Missing an id.')
      const body = await readBody(textOf(context, 'data'), words)
      context.output.object(await (await context.connectOperator()).merchants.update(id, body))
    },
  },
  {
    name: 'merchants key',
    usage: '<id> mode=live [field=value…]',
    summary: 'Creates a key of a merchant (operator). It is shown once',
    examples: ['merchants key ID mode=live'],
    async run(context) {
      const [id, ...words] = context.words
      if (id === undefined || id.includes('=')) throw new UsageError('Missing an id.')
      const { mode, ...fields } = await parseFields(words)
      if (mode !== 'live' && mode !== 'test') throw new UsageError('mode must be live or test.')
      context.output.object(await (await context.connectOperator()).keys.create(id, { mode, ...fields }))
    },
  },
]
