import { randomUUID } from 'node:crypto'
import { ApiError, type Client } from 'merchant-ordering-client'
import { type Command, type Context, numberOf, requireWord, toCommand } from '../../command.ts'
import { exitCodes } from '../../errors/errors.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { ask, isConversation } from '../imports/import-questions.ts'
import type { Difference } from './compare.ts'
import { type LiveVenue, readLiveVenue } from './live-venue.ts'
import { type Change, isOneBatch, listOperations, type Plan, planVenue, toIssues, toParts } from './plan.ts'
import { readVenueFile, type VenueFile } from './venue-file.ts'

/** Maximum number of objects that are deleted without `--confirm-deletes`. */
export const maxDeletes = 10
/** Maximum number of characters of a value that is shown. */
const maxShown = 80

const signs = { create: '+', update: '~', delete: '-' } as const
const count = ({ changes }: Plan, kind: Change['kind']) => changes.filter((change) => change.kind === kind).length

/** A value in one line, with external ids instead of ids. */
function show(value: unknown, venue: LiveVenue): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value, (_, each) => (typeof each === 'string' ? (venue.keyOf(each) ?? each) : each))
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text
}

function printFields({ output }: Context, fields: readonly Difference[], venue: LiveVenue): void {
  for (const { pointer, before, after } of fields) {
    if (pointer === '') output.print(`    names new objects: ${show(after, venue)}`)
    else output.print(`    ${pointer.slice(1)}: ${show(before, venue)} → ${show(after, venue)}`)
  }
}

/** Prints what applying changes. */
function printPlan(context: Context, plan: Plan, venue: LiveVenue): void {
  const { output } = context
  const { settings, changes, unchanged } = plan
  if (output.isJson) {
    const shown = changes.map(({ kind, resource, key, title, fields }) => ({
      change: kind,
      resource,
      key,
      title,
      fields,
    }))
    output.object({ settings, changes: shown, unchanged })
    return
  }
  if (settings.length > 0) output.print('~ merchant')
  printFields(context, settings, venue)
  for (const { kind, resource, key, title, fields } of changes) {
    output.print(`${signs[kind]} ${resource}/${key}  ${title}`.trimEnd())
    printFields(context, fields, venue)
  }
  const [created, updated, deleted] = [count(plan, 'create'), count(plan, 'update'), count(plan, 'delete')]
  const ofSettings = settings.length > 0 ? `${settings.length} of the settings, ` : ''
  output.print(`${ofSettings}${created} to create, ${updated} to change, ${deleted} to delete, ${unchanged} unchanged`)
}

/** Whether the plan is applied now. */
async function mayApply(context: Context, plan: Plan): Promise<boolean> {
  const deletes = count(plan, 'delete')
  const confirmed = numberOf(context, 'confirm-deletes')
  if (context.values['yes'] !== true) {
    if (!isConversation(context)) {
      throw new UsageError('Nothing was written. Add --yes to write the changes, or --check to compare only.')
    }
    if (!/^y(?:es)?$/i.test(await ask(context, 'Apply? [y/N] '))) return false
    if (deletes <= maxDeletes || confirmed !== undefined) return true
    return (await ask(context, `This deletes ${deletes} objects. Type this number to confirm: `)) === String(deletes)
  }
  if (deletes > Math.max(maxDeletes, confirmed ?? 0)) {
    throw new UsageError(`${deletes} objects would be deleted. Add --confirm-deletes ${deletes} if this is correct.`)
  }
  return true
}

/** The error of a request, with the positions of the file where it is about the file. */
function explain(error: unknown, { toError }: VenueFile, changes: readonly Change[]): unknown {
  const issues = toIssues(error, changes)
  return issues ? toError(issues) : error
}

/** Writes the settings, then the objects as one change set. Returns its id, if objects changed. */
async function write(context: Context, client: Client, file: VenueFile, plan: Plan): Promise<string | undefined> {
  const { output, signal } = context
  if (file.merchant && plan.settings.length > 0) {
    try {
      await client.merchant.update(file.merchant, { signal })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error
      const found = error.errors.flatMap((issue) =>
        'pointer' in issue ? [{ pointer: `/merchant${issue.pointer}`, message: issue.message }] : [],
      )
      throw found.length > 0 ? file.toError(found) : error
    }
  }
  const changeSet = `apply-${randomUUID()}`
  let [id, done]: [string | undefined, number] = [undefined, 0]
  for (const part of toParts(plan.changes)) {
    try {
      const operations = listOperations(part.map(({ operation }) => operation))
      const results = await client.batch(operations, { mode: 'atomic' }, { changeSet, signal })
      id ??= results.changeSet
    } catch (error) {
      if (done > 0) output.note(`${done} of ${plan.changes.length} changes were written. Apply again to continue.`)
      throw explain(error, file, part)
    }
    done += part.length
    output.progress('Applied', done, plan.changes.length)
  }
  return id
}

async function run(context: Context): Promise<number> {
  const { output, values, signal } = context
  const isCheck = values['check'] === true
  if (isCheck && values['yes'] === true) throw new UsageError('Use either --check or --yes, not both.')
  const file = await readVenueFile(requireWord(context, 'a file'))
  const client = await context.connect()
  const venue = await readLiveVenue(client, signal)
  const onProgress = (done: number, total: number) => output.progress('Checked', done, total)
  const plan = await planVenue(client, file, venue, { prune: values['prune'] === true, signal, onProgress })
  const isSame = plan.settings.length === 0 && plan.changes.length === 0
  const writes = !isCheck && !isSame
  if (!output.isJson || !writes) printPlan(context, plan, venue)
  if (!writes) return isSame ? exitCodes.success : exitCodes.differs
  if (!isOneBatch(plan) && !output.isJson)
    output.note('The changes need several batches. If one is rejected, those before it stay.')
  if (!(await mayApply(context, plan))) {
    output.note('Nothing was written.')
    return exitCodes.success
  }
  const changeSet = await write(context, client, file, plan)
  if (output.isJson) {
    const [created, updated, deleted] = [count(plan, 'create'), count(plan, 'update'), count(plan, 'delete')]
    const { unchanged, settings } = plan
    output.object({ created, updated, deleted, unchanged, settings: settings.length, changeSet })
  } else {
    output.print('Applied.')
    if (changeSet !== undefined) output.note(`Take it back: ${toCommand(context, `changes undo ${changeSet}`)}`)
  }
  return exitCodes.success
}

/** Makes a venue like a file. */
export const applyCommand: Command = {
  name: 'apply',
  usage: '<file>',
  summary: 'Makes settings, menus, products, modifiers and coupons like a file of YAML',
  details: `Shows what changes, asks, and writes the objects as one change set. A second run changes nothing. Fields that the file does not
have stay as they are; null clears a field. export --format yaml writes such a file.`,
  options: {
    check: { description: 'Writes nothing. The exit code is 7 if something would change' },
    yes: { description: 'Writes the changes, and does not ask' },
    prune: {
      description: 'Deletes objects with an external id that the file does not have, of the resources that it has',
    },
    'confirm-deletes': { value: 'N', description: `With --yes: deletes up to N objects. Default: ${maxDeletes}` },
  },
  examples: ['apply venue.yaml', 'apply venue.yaml --check', 'apply venue.yaml --prune --yes'],
  run,
}
