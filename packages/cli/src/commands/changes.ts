import { type Command, requireWord, withId } from '../command.ts'
import { limitOption, printList } from '../list.ts'

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
]
