import type { Import } from 'merchant-ordering-client'
import { type Command, type Context, toCommand, withId } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { limitOption, printList } from '../list.ts'
import { undoImport } from './imports/undo-import.ts'

/**
 * Runs an import. The service continues it after the command ends. After Ctrl-C, prints this and how to cancel the import. `run` reports each state
 * that it sees.
 */
export async function explainInterruption<Result>(
  context: Context,
  run: (see: (current: Pick<Import, 'id' | 'state'>) => void) => Promise<Result>,
): Promise<Result> {
  let seen: Pick<Import, 'id' | 'state'> | undefined
  try {
    return await run((current) => {
      seen = current
    })
  } catch (error) {
    if (context.signal.aborted) context.output.note(describe(context, seen))
    throw error
  }
}

function describe(context: Context, seen: Pick<Import, 'id' | 'state'> | undefined): string {
  const { isJson } = context.output
  if (seen === undefined) {
    const list = toCommand(context, 'imports list')
    const text = `The upload was stopped. If the service has received the file, the import continues. See it: ${list}`
    return isJson ? JSON.stringify({ interrupted: true, list }) : text
  }
  const [see, cancel] = [toCommand(context, `imports get ${seen.id}`), toCommand(context, `imports cancel ${seen.id}`)]
  return isJson
    ? JSON.stringify({ interrupted: true, import: seen.id, see, cancel })
    : `The service continues the import ${seen.id}.\nSee it:    ${see}\nCancel it: ${cancel}`
}

export const importCommands: readonly Command[] = [
  {
    name: 'imports list',
    summary: 'Lists imports of the last 30 days, newest first',
    options: limitOption,
    examples: ['imports list', 'imports list --limit 5 --json'],
    async run(context) {
      const { imports } = await context.connect()
      const read = ({ limit: _, ...filters }: Record<string, unknown>) => {
        const [name] = Object.keys(filters)
        if (name !== undefined) throw new UsageError(`Imports have no filter ${name}.`)
        return imports.list()
      }
      await printList(context, (filter) => read({ ...filter }), {
        columns: ['id', 'state', 'resource', 'rows', 'applied', 'failed'],
      })
    },
  },
  withId('imports get', 'Shows the state of an import', ({ imports }, id) => imports.retrieve(id)),
  withId('imports cancel', 'Cancels an import. Rows that were applied stay', ({ imports }, id) => imports.cancel(id)),
  {
    name: 'imports undo',
    usage: '<id>',
    summary: 'Takes back what an import has written, where nobody has changed it since',
    details: `Prints what stays as it is. Waits until a large import is undone; after Ctrl-C the service continues. Imports of the last 30
days can be undone.`,
    options: { 'dry-run': { description: 'Shows what would change, and changes nothing' } },
    examples: ['imports undo ID --dry-run', 'imports undo ID'],
    run: undoImport,
  },
]
