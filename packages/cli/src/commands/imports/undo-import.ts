import { setTimeout } from 'node:timers/promises'
import type { Client, Undo } from 'merchant-ordering-client'
import { type Context, requireWord, toCommand } from '../../command.ts'
import { exitCodes } from '../../errors/errors.ts'
import { UsageError } from '../../errors/usage-error.ts'

/** Pause between two reads of an undo that is under way, in milliseconds. */
const pollMs = 1_000

const sum = ({ created, updated, deleted }: Undo['counts']) => created + updated + deleted

/** Waits until the service has undone a change set. */
async function follow({ output, signal }: Context, { changes }: Client, started: Undo): Promise<Undo> {
  let current = started
  const { counts } = await changes.retrieve(started.undoes ?? started.id, { limit: 1 }, { signal })
  while (current.state === 'undoing') {
    output.progress('undoing', sum(current.counts), sum(counts))
    await setTimeout(pollMs, undefined, { signal })
    const { objects: _, ...next } = await changes.retrieve(started.id, { limit: 1 }, { signal })
    current = { ...current, ...next }
  }
  return current
}

/** Takes back what an import has written. Returns the exit code. */
export async function undoImport(context: Context): Promise<number> {
  const { output, signal, values } = context
  const id = requireWord(context, 'an id')
  const client = await context.connect()
  const { changeSet } = await client.imports.retrieve(id, { signal })
  if (changeSet === undefined) throw new UsageError(`The import ${id} has written nothing.`)
  if (values['dry-run'] === true) {
    const plan = await client.changes.planUndo(changeSet, { signal })
    output.object(plan)
    return plan.conflictCount === 0 ? exitCodes.success : exitCodes.failed
  }
  const started = await client.changes.undo(changeSet, { signal })
  try {
    const done = await follow(context, client, started)
    output.object(done)
    return done.conflictCount === 0 ? exitCodes.success : exitCodes.failed
  } catch (error) {
    if (signal.aborted)
      output.note(`The service continues. See it: ${toCommand(context, `changes show ${started.id}`)}`)
    throw error
  }
}
