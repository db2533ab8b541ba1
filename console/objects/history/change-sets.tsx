import { useSignal } from '@preact/signals'
import { ApiError, type ChangeSet, type UndoPlan } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { useNames } from '../../app/operations.ts'
import { hasScope } from '../../app/session.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import { countChanges, describeConflicts, describeSet, undoSet } from './undo.ts'

export interface ListedSet extends ChangeSet {
  operation: ''
  object: string
  key: string
}

/** The last change sets. `operation`, `object` and `key` name their actor as entries of the audit log do. */
export async function readSets(limit: number): Promise<ListedSet[]> {
  const { items } = await api().changes.list({ limit }).page()
  return items.map((set) => ({ ...set, operation: '', object: set.id, key: set.by }))
}

/** The numbers of changes in words. */
function describeCounts({ counts: { created, updated, deleted } }: Pick<ChangeSet, 'counts'>): string {
  const { history: texts } = t()
  return [
    created > 0 && texts.created(created),
    updated > 0 && texts.updated(updated),
    deleted > 0 && texts.deletedCount(deleted),
  ]
    .filter(Boolean)
    .join(', ')
}

interface Asked {
  set: ListedSet
  text: string
}

/** Says how many changes an undo takes back, and what stays. */
async function describePlan(plan: UndoPlan): Promise<string> {
  const count = countChanges(plan)
  const stays = plan.conflictCount > 0 ? await describeConflicts(plan) : ''
  return `${t().history.willUndo(count)} ${stays}`.trim()
}

/** Changes that were made together, and a button that undoes each. */
export function ChangeSets({ sets, onUndone }: { sets: readonly ListedSet[]; onUndone: () => void }) {
  const { history: texts, action } = t()
  const { actorOf } = useNames(sets)
  const asked = useSignal<Asked | undefined>(undefined)
  /** The set that is being undone, and how many of its changes are. */
  const running = useSignal<{ id: string; undone: number } | undefined>(undefined)
  const ask = async (set: ListedSet) => {
    if (running.value) return
    try {
      asked.value = { set, text: await describePlan(await api().changes.planUndo(set.id)) }
    } catch (error) {
      // A set that is too large to be planned is undone in steps.
      if (error instanceof ApiError && error.status === 422)
        asked.value = { set, text: texts.willUndo(countChanges(set)) }
      else showError(error)
    }
  }
  const undo = async ({ id }: ListedSet) => {
    asked.value = undefined
    running.value = { id, undone: 0 }
    try {
      await undoSet(id, (undone) => {
        running.value = { id, undone }
      })
    } catch (error) {
      showError(error)
    }
    running.value = undefined
    onUndone()
  }
  return (
    <>
      <ul class="entries changes">
        {sets.map((set) => {
          const name = describeSet(set)
          const progress = running.value?.id === set.id ? running.value.undone : undefined
          const isRunning = progress !== undefined || set.state === 'undoing'
          return (
            <li key={set.id}>
              <span>
                {name}: {describeCounts(set)}
                <small>
                  {formatTime(set.at)} · {actorOf(set) ?? texts.somebody}
                </small>
              </span>
              {isRunning ? (
                <span>
                  <progress aria-label={texts.undoing} max={Math.max(1, countChanges(set))} value={progress ?? 0} />
                  <small>{texts.undoing}</small>
                </span>
              ) : set.state === 'undone' ? (
                <small>{texts.isUndone}</small>
              ) : (
                hasScope('changes:write') && (
                  <button type="button" aria-label={texts.undoOf(name, formatTime(set.at))} onClick={() => ask(set)}>
                    {action.undo}
                  </button>
                )
              )}
            </li>
          )
        })}
      </ul>
      {asked.value && (
        <Confirm
          title={texts.confirmUndo(describeSet(asked.value.set))}
          text={asked.value.text}
          confirm={action.undo}
          onConfirm={() => asked.value && void undo(asked.value.set)}
          onCancel={() => {
            asked.value = undefined
          }}
        />
      )}
    </>
  )
}
