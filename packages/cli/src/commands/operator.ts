import type { Operator } from 'merchant-ordering-client'
import { type Command, dataOption, requireFirstWord, requireWord, textOf } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseFields, readBody } from '../fields.ts'
import { limitOption, printList } from '../list.ts'

/** A command for one merchant. */
const onMerchant = (
  verb: string,
  summary: string,
  run: (merchants: Operator['merchants'], id: string) => Promise<object>,
): Command => ({
  name: `merchants ${verb}`,
  usage: '<id>',
  summary: `${summary} (operator)`,
  examples: [`merchants ${verb} ID`],
  run: async (context) =>
    context.output.object(await run((await context.connectOperator()).merchants, requireWord(context, 'an id'))),
})

/** Commands of the operator. They need a profile of `login --operator`. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'merchants list',
    usage: '[filter=value…]',
    summary: 'Lists merchants (operator)',
    options: limitOption,
    examples: ['merchants list q=bakery'],
    async run(context) {
      const { merchants } = await context.connectOperator()
      const columns = ['id', 'name', 'status', 'timezone', 'currency', 'orderingUrl']
      await printList(context, (filter) => merchants.list(filter), { columns })
    },
  },
  onMerchant('get', 'Shows a merchant', (merchants, id) => merchants.retrieve(id)),
  {
    name: 'merchants create',
    usage: 'name=… currency=… [field=value…]',
    summary: 'Creates a merchant (operator)',
    options: dataOption,
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
    options: dataOption,
    examples: ['merchants update ID name=Bakery'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      const body = await readBody(textOf(context, 'data'), rest)
      context.output.object(await (await context.connectOperator()).merchants.update(id, body))
    },
  },
  onMerchant('usage', 'Counts objects, bytes and deliveries of a merchant', (merchants, id) => merchants.usage(id)),
  onMerchant('suspend', 'Rejects the keys of a merchant, until resume', (merchants, id) => merchants.suspend(id)),
  onMerchant('resume', 'Ends a suspension', (merchants, id) => merchants.resume(id)),
  onMerchant('close', 'Deletes the data of a merchant in 30 days, unless it is reopened', (merchants, id) =>
    merchants.close(id),
  ),
  onMerchant('reopen', 'Reopens a closed merchant', (merchants, id) => merchants.reopen(id)),
  {
    name: 'merchants key',
    usage: '<id> mode=live [field=value…]',
    summary: 'Creates a key of a merchant (operator). It is shown once',
    examples: ['merchants key ID mode=live'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      const { mode, ...fields } = await parseFields(rest)
      if (mode !== 'live' && mode !== 'test') throw new UsageError('mode must be live or test.')
      context.output.object(await (await context.connectOperator()).keys.create(id, { mode, ...fields }))
    },
  },
]
