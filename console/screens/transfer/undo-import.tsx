import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, type ChangeSetObjects } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { countChanges, describeConflicts, undoSet } from '../../objects/history/undo.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'

type Found = Omit<ChangeSetObjects, 'objects'>

/** Whether the change set is no longer kept, or the session may not read it. */
const isHidden = (error: unknown) => error instanceof ApiError && (error.status === 403 || error.status === 404)

/** A change set, and the objects that its undo left. */
async function readSet(id: string): Promise<{ set: Found; left: string }> {
  const { objects: _, ...set } = await api().changes.retrieve(id, { limit: 1 })
  if (set.undoneBy === undefined) return { set, left: '' }
  const { conflictCount = 0, conflicts = [] } = await api().changes.retrieve(set.undoneBy, { limit: 1 })
  return { set, left: conflictCount > 0 ? await describeConflicts({ conflictCount, conflicts }) : '' }
}

/** The objects that an undo would leave, in words. Empty if it undoes everything, or if the set is too large to be planned. */
async function planLeft(id: string): Promise<string> {
  try {
    const plan = await api().changes.planUndo(id)
    return plan.conflictCount > 0 ? `${t().history.willUndo(countChanges(plan))} ${await describeConflicts(plan)}` : ''
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return ''
    throw error
  }
}

/** Undoes an import with one tap, or with two if somebody has changed its objects since. */
export function UndoImport({ changeSet }: { changeSet: string }) {
  const { history: texts, action } = t()
  const found = useSignal<{ set: Found; left: string } | undefined>(undefined)
  const asked = useSignal('')
  /** Number of changes that are undone. */
  const progress = useSignal<number | undefined>(undefined)
  const isBusy = useSignal(false)
  const act = async (work: () => Promise<void>) => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await work()
    } catch (error) {
      if (!isHidden(error)) showError(error)
    }
    isBusy.value = false
  }
  const follow = async () => {
    progress.value = 0
    try {
      await undoSet(changeSet, (undone) => {
        progress.value = undone
      })
    } finally {
      progress.value = undefined
    }
    found.value = await readSet(changeSet)
  }
  const start = () =>
    act(async () => {
      asked.value = await planLeft(changeSet)
      if (asked.value === '') await follow()
    })
  useEffect(() => {
    void act(async () => {
      found.value = await readSet(changeSet)
      if (found.value.set.state === 'undoing') await follow()
    })
  }, [changeSet])
  if (!found.value) return null
  const { set, left } = found.value
  return (
    <>
      {progress.value !== undefined && (
        <p>
          <progress aria-label={texts.undoing} max={Math.max(1, countChanges(set))} value={progress.value} />
          {texts.undoing}
        </p>
      )}
      {set.state === 'undone' && (
        <p>
          {texts.setKinds.import}: {texts.isUndone}. {left}
        </p>
      )}
      {set.state === 'done' && progress.value === undefined && hasScope('changes:write') && (
        <p>
          <button type="button" aria-disabled={isBusy.value} onClick={start}>
            {action.undo}
          </button>
        </p>
      )}
      {asked.value !== '' && (
        <Confirm
          title={texts.confirmUndo(texts.setKinds.import)}
          text={asked.value}
          confirm={action.undo}
          onConfirm={() => {
            asked.value = ''
            void act(follow)
          }}
          onCancel={() => {
            asked.value = ''
          }}
        />
      )}
    </>
  )
}
