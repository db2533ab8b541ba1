import type { Import } from 'merchant-ordering-client'
import { type Command, rejectWords, requireWord, withId } from '../command.ts'
import { limitOption, printList } from '../list.ts'

/** Members of an import that a copy of live data shows. */
const importedCounts = [
  'id',
  'state',
  'rows',
  'created',
  'updated',
  'unchanged',
  'deleted',
  'failed',
  'changeSet',
] as const

const pick = (copy: Import) =>
  Object.fromEntries(importedCounts.flatMap((name) => (copy[name] === undefined ? [] : [[name, copy[name]]])))

/** Commands for changes that were made together. */
export const changeCommands: readonly Command[] = [
  {
    name: 'changes list',
    usage: '[filter=value…]',
    summary: 'Lists batches, imports and other changes of the last 30 days, newest first',
    options: limitOption,
    examples: ['changes list', 'changes list kind=import --limit 5'],
    async run(context) {
      const { changes } = await context.connect()
      await printList(context, (filter) => changes.list(filter), { columns: ['id', 'kind', 'state', 'by', 'at'] })
    },
  },
  withId('changes show', 'Shows a change set with its first objects before and after', ({ changes }, id) =>
    changes.retrieve(id),
  ),
  {
    name: 'changes undo',
    usage: '<id>',
    summary: 'Undoes a change set where nobody has changed its objects since',
    details: 'Prints what stays as it is. A large set is undone in steps: see its state with changes show.',
    options: { 'dry-run': { description: 'Shows what would change, and changes nothing' } },
    examples: ['changes undo ID --dry-run', 'changes undo ID'],
    async run(context) {
      const id = requireWord(context, 'an id')
      const { changes } = await context.connect()
      context.output.object(context.values['dry-run'] === true ? await changes.planUndo(id) : await changes.undo(id))
    },
  },
  {
    name: 'test-data copy',
    summary: 'Copies the catalogue of live mode into test mode',
    details:
      'Needs a live key. A later copy updates and deletes only what an earlier one made. See its state with test-data show.',
    examples: ['test-data copy'],
    async run(context) {
      rejectWords(context)
      const { testData } = await context.connect()
      context.output.object(pick(await testData.copy()))
    },
  },
  {
    name: 'test-data show',
    summary: 'Shows the last copy of live data, and the change set in test mode that undoes it',
    examples: ['test-data show'],
    async run(context) {
      rejectWords(context)
      const { testData } = await context.connect()
      context.output.object(pick(await testData.retrieve()))
    },
  },
]
