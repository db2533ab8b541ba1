import type { ChangeSet, Undo } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { readNames } from '../../app/operations.ts'
import { hasScope } from '../../app/session.ts'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'

/** Kinds of changes that the console makes together. A part of the names of their change sets. */
export type SetKind = 'prices' | 'shown' | 'hidden' | 'tables'

/** A name for a change set: requests with the same name can be undone together. */
export const nameSet = (kind: SetKind) => `console.${kind}.${crypto.randomUUID()}`

/** Number of changes of a set. */
export const countChanges = ({ counts: { created, updated, deleted } }: Pick<ChangeSet, 'counts'>) =>
  created + updated + deleted

/** A change set in words. */
export function describeSet({ kind, name }: Pick<ChangeSet, 'kind' | 'name'>): string {
  const { setNames, setKinds } = t().history
  const own = /^console\.(\w+)\./.exec(name ?? '')?.[1]
  const known = Object.entries(setNames).find(([each]) => each === own)?.[1]
  return known ?? name ?? setKinds[kind]
}

/** Maximum number of objects that a message names. */
const maxNamed = 5

/** The name of a field, as forms show it. */
export function describeField(field: string): string {
  const { fields, otherField } = t().history
  const name = field.replace(/^\/?(?:details|body|availability|limits)[./]/, '').replace(/[./].*/, '')
  return Object.entries(fields).find(([each]) => each === name)?.[1] ?? otherField
}

type Conflicts = Pick<Undo, 'conflictCount' | 'conflicts'>

/** Says which objects stay as they are, and why. */
export async function describeConflicts({ conflictCount, conflicts }: Conflicts): Promise<string> {
  const { history: texts } = t()
  const shown = conflicts.slice(0, maxNamed)
  const lines = await Promise.all(
    shown.map(async ({ resource, id, reason, fields = [] }) => {
      const { resources, named } = t().operations
      const [title] = await readNames([{ resource, id }])
      const name = title === undefined ? resources[resource] : named(resources[resource], title)
      const of = [...new Set(fields.map(describeField))].join(', ')
      return `${name}${of && ` (${of})`}: ${texts.conflictReasons[reason]}.`
    }),
  )
  const more = conflictCount - shown.length
  return [texts.stays(conflictCount), lines.join(' '), more > 0 && texts.more(more)].filter(Boolean).join(' ')
}

/** Pause between two questions for the progress of an undo, in milliseconds. */
const pauseMs = 1_000

/** Undoes a change set and shows what was undone, and what stays. `onProgress` gets the number of changes that are undone. */
export async function undoSet(id: string, onProgress: (undone: number) => void = () => undefined): Promise<void> {
  let undo = await api().changes.undo(id)
  // A second request returns the state of the first.
  while (undo.state === 'undoing') {
    onProgress(countChanges(undo))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    undo = await api().changes.undo(id)
  }
  const { history: texts } = t()
  const count = countChanges(undo)
  if (undo.conflictCount === 0) showStatus(texts.undone(count))
  else showAlert(`${count > 0 ? texts.undone(count) : ''} ${await describeConflicts(undo)}`.trim())
}

/** The action that undoes a change set from a message; undefined without a change set, or if the session may not undo. */
export const offerUndo = (id: string | undefined, reload: () => Promise<void>) =>
  id === undefined || !hasScope('changes:write') ? undefined : () => void undoSet(id).then(reload).catch(showError)
