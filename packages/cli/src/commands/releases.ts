import type { Client, Release, ReleaseChange } from 'merchant-ordering-client'
import { type Command, type Context, requireWord, textOf, withId } from '../command.ts'
import { exitCodes } from '../errors/errors.ts'
import { UsageError } from '../errors/usage-error.ts'
import { limitOption, printList } from '../list.ts'
import { readOperations } from '../operation-file.ts'
import { readTime } from '../read-time.ts'

/** Number of operations that one request takes. */
const perRequest = 500

const columns = ['id', 'title', 'state', 'changes', 'publishAt', 'publishedAt']

/** Adds operations to a release, 500 at a time, from the position `from` on. */
async function addOperations(
  { output }: Context,
  client: Client,
  before: Release,
  operations: readonly ReleaseChange[],
  from = 0,
): Promise<Release> {
  let release = before
  for (let start = from; start < operations.length; start += perRequest) {
    const { operations: _, ...rest } = await client.releases.add(
      release.id,
      operations.slice(start, start + perRequest),
    )
    release = rest
    output.progress('Added', Math.min(start + perRequest, operations.length), operations.length)
  }
  return release
}

/** The two words of a command. */
function requireTwo({ words }: Context, first: string, second: string): [string, string] {
  const [one, two, extra] = words
  if (one === undefined) throw new UsageError(`Missing ${first}.`)
  if (two === undefined) throw new UsageError(`Missing ${second}.`)
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`)
  return [one, two]
}

/** Commands for changes that are prepared, and published together. */
export const releaseCommands: readonly Command[] = [
  {
    name: 'releases list',
    summary: 'Lists releases, newest first',
    options: limitOption,
    examples: ['releases list --limit 5'],
    async run(context) {
      const { releases } = await context.connect()
      await printList(context, () => releases.list(), { columns })
    },
  },
  withId('releases get', 'Shows a release', ({ releases }, id) => releases.retrieve(id)),
  {
    name: 'releases create',
    usage: '[file]',
    summary: 'Creates a release from the operations of a file, which nobody sees until it is published',
    details:
      'The file is JSON or JSON Lines, like that of batch. Operations can have details, availability and limits.',
    options: {
      title: { value: 'TEXT', description: 'Title. Default: the name of the file' },
      note: { value: 'TEXT', description: 'Note for the people who prepare it' },
    },
    examples: ['releases create autumn.json --title "Autumn menu"'],
    async run(context) {
      const [file, extra] = context.words
      if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`)
      const title = textOf(context, 'title') ?? file
      if (title === undefined) throw new UsageError('Missing --title.')
      // A file with a fault leaves no empty release behind.
      const given = file === undefined ? [] : await readOperations<ReleaseChange>(file)
      const client = await context.connect()
      const operations = given.slice(0, perRequest)
      const { operations: _, ...created } = await client.releases.create({
        title,
        note: textOf(context, 'note'),
        ...(operations.length > 0 && { operations }),
      })
      context.output.object(await addOperations(context, client, created, given, perRequest))
    },
  },
  {
    name: 'releases add',
    usage: '<id> <file>',
    summary: 'Adds the operations of a file to a release',
    examples: ['releases add ID more.json'],
    async run(context) {
      const [id, file] = requireTwo(context, 'an id', 'a file')
      const operations = await readOperations<ReleaseChange>(file)
      const client = await context.connect()
      context.output.object(await addOperations(context, client, await client.releases.retrieve(id), operations))
    },
  },
  {
    name: 'releases operations',
    usage: '<id>',
    summary: 'Lists the operations of a release',
    options: limitOption,
    examples: ['releases operations ID'],
    async run(context) {
      const id = requireWord(context, 'an id')
      const { releases } = await context.connect()
      const shown = ['op', 'resource', 'id', 'title']
      await printList(context, () => releases.operations(id), { columns: shown, words: [] })
    },
  },
  {
    name: 'releases check',
    usage: '<id>',
    summary: 'Shows what a release changes, its errors and its conflicts',
    details: 'The exit code is not 0 if it cannot be published.',
    examples: ['releases check ID'],
    async run(context) {
      const { output } = context
      const checked = await (await context.connect()).releases.check(requireWord(context, 'an id'))
      if (output.isJson) output.object(checked)
      else {
        for (const { op, title, before, after } of checked.changes) {
          output.print(`${op} ${title}`)
          for (const [field, value] of Object.entries(after))
            output.print(`  ${field}: ${JSON.stringify(before[field] ?? null)} → ${JSON.stringify(value)}`)
        }
        for (const { id, pointer = '', message } of checked.errors) output.print(`Error: ${id}${pointer} ${message}`)
        for (const { id, field } of checked.conflicts) output.print(`Conflict: ${id}${field} was changed since`)
      }
      return checked.ok ? exitCodes.success : exitCodes.failed
    },
  },
  {
    name: 'releases preview',
    usage: '<id>',
    summary: 'Prints an address that shows the hosted menu after a release',
    options: {
      hours: { value: 'N', description: 'How long the address is valid, 1 to 168 hours. Default: 24' },
      at: { value: 'TIME', description: 'Time that it shows. Default: the time at which it is opened' },
    },
    examples: ['releases preview ID', 'releases preview ID --hours 48 --at 2027-10-01T18:00:00+02:00'],
    async run(context) {
      const id = requireWord(context, 'an id')
      const [hours, at] = [textOf(context, 'hours'), textOf(context, 'at')]
      const { releases } = await context.connect()
      const shown = {
        ...(hours !== undefined && { hours: Number(hours) }),
        ...(at !== undefined && { at: readTime(at) }),
      }
      const preview = await releases.preview(id, shown)
      if (context.output.isJson) context.output.object(preview)
      else context.output.print(preview.url)
    },
  },
  {
    name: 'releases publish',
    usage: '<id>',
    summary: 'Publishes a release: all of its changes, or none',
    options: { overwrite: { description: 'Publishes fields too that somebody else has changed since' } },
    examples: ['releases publish ID', 'releases publish ID --overwrite'],
    async run(context) {
      const id = requireWord(context, 'an id')
      const { releases } = await context.connect()
      context.output.object(await releases.publish(id, { overwrite: context.values['overwrite'] === true }))
    },
  },
  {
    name: 'releases schedule',
    usage: '<id> <time>',
    summary: 'Publishes a release at a time, or no more at a time with the word never',
    examples: ['releases schedule ID 2027-10-01T06:00:00+02:00', 'releases schedule ID never'],
    async run(context) {
      const [id, time] = requireTwo(context, 'an id', 'a time')
      const { releases } = await context.connect()
      context.output.object(await releases.update(id, { publishAt: time === 'never' ? null : readTime(time) }))
    },
  },
  {
    name: 'releases revert',
    usage: '<id>',
    summary: 'Undoes a published release where nobody has changed its objects since',
    details: 'Prints what stays as it is.',
    options: { 'dry-run': { description: 'Shows what would change, and changes nothing' } },
    examples: ['releases revert ID --dry-run', 'releases revert ID'],
    async run(context) {
      const id = requireWord(context, 'an id')
      const { changes, releases } = await context.connect()
      const { changeSet } = await releases.retrieve(id)
      if (changeSet === undefined) throw new UsageError('The release is not published.')
      const isDryRun = context.values['dry-run'] === true
      context.output.object(isDryRun ? await changes.planUndo(changeSet) : await changes.undo(changeSet))
    },
  },
  withId('releases cancel', 'Cancels a release', ({ releases }, id) => releases.cancel(id)),
]
