import {
  type Command,
  type Context,
  dataOption,
  rejectWords,
  requireFirstWord,
  requireWord,
  textOf,
  withId,
} from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { eventDays } from '../event-days.ts'
import { parseFields, readBody } from '../fields.ts'
import { limitOption, printList } from '../list.ts'

/** A number of days in seconds. */
const secondsPerDay = 86_400
/** Default of `--days` in `webhooks recover`. */
const defaultDays = 1

async function recover(context: Context): Promise<void> {
  const id = requireWord(context, 'an id')
  const days = Number(textOf(context, 'days') ?? defaultDays)
  if (!(days > 0 && days <= eventDays)) throw new UsageError(`--days must be more than 0 and at most ${eventDays}.`)
  const { webhooks } = await context.connect()
  context.output.object(await webhooks.recover(id, Math.floor(Date.now() / 1000 - days * secondsPerDay)))
}

/** Commands in addition to those that every resource has. */
export const actionCommands: readonly Command[] = [
  withId('customers export', 'Shows all stored data about a customer', ({ customers }, id) => customers.export(id)),
  withId('customers erase', 'Deletes a customer, and removes the person from all stored data', ({ customers }, id) =>
    customers.erase(id),
  ),
  {
    name: 'tags scans',
    usage: '<id> [from=… to=…]',
    summary: 'Counts the scans of a tag by day and channel',
    examples: ['tags scans ID', 'tags scans ID --json'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      const { tags } = await context.connect()
      await context.output.list(await tags.scans(id, await parseFields(rest)))
    },
  },
  withId('webhooks secret', 'Shows the signing secret of a webhook', ({ webhooks }, id) => webhooks.secret(id)),
  withId('webhooks test', 'Sends a webhook.test event to a webhook', ({ webhooks }, id) => webhooks.test(id)),
  {
    name: 'webhooks deliveries',
    usage: '<id> [filter=value…]',
    summary: 'Lists deliveries to a webhook, newest first',
    options: limitOption,
    examples: ['webhooks deliveries ID state=failed', 'webhooks deliveries ID --limit 1 --json'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      const { webhooks } = await context.connect()
      const columns = ['eventId', 'type', 'state', 'createdAt', 'nextAttemptAt']
      await printList(context, (filter) => webhooks.deliveries(id, filter), { columns, words: rest })
    },
  },
  {
    name: 'webhooks recover',
    usage: '<id>',
    summary: 'Resends failed and cancelled deliveries',
    details: 'At most 1,000 deliveries, oldest first. Repeat the command while it recovers 1,000.',
    options: { days: { value: 'N', description: `How far back: up to ${eventDays} days. Default: ${defaultDays}` } },
    examples: ['webhooks recover ID', 'webhooks recover ID --days 7'],
    run: recover,
  },
  {
    name: 'audit list',
    usage: '[filter=value…]',
    summary: 'Lists the changes of the last 90 days, newest first',
    options: limitOption,
    examples: ['audit list --limit 20', 'audit list --json'],
    async run(context) {
      const client = await context.connect()
      await printList(context, (filter) => client.audit(filter))
    },
  },
  {
    name: 'merchant get',
    summary: 'Shows the settings of the merchant',
    details: 'The key needs the scope merchant:read.',
    examples: ['merchant get'],
    async run(context) {
      rejectWords(context)
      context.output.object(await (await context.connect()).merchant.retrieve())
    },
  },
  {
    name: 'merchant update',
    usage: '[field=value…]',
    summary: 'Updates settings of the merchant',
    details: 'Needs a live key with the scope merchant:write.',
    options: dataOption,
    examples: ["merchant update orderingUrl='https://order.example.com/?tag={tag}'"],
    async run(context) {
      const body = await readBody(textOf(context, 'data'), context.words)
      if (Object.keys(body).length === 0) throw new UsageError('Missing fields.')
      context.output.object(await (await context.connect()).merchant.update(body))
    },
  },
]
