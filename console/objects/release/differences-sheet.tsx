import { useSignal } from '@preact/signals'
import type { Release } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'
import { preparedRevision } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { RemoveButton } from '../../ui/plain-rows.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { describeField } from '../history/undo.ts'
import { describeReleased, listDifferences, toFieldName } from './differences.ts'
import { checked, remove } from './draft.ts'
import { leaveRelease } from './prepare.ts'

/** The reasons why the changes cannot be published: conflicting changes by others, and errors. */
function Obstacles({ onPublish }: { onPublish: () => void }) {
  const { release: texts, conflict: words, operations, issue: issues } = t()
  const { conflicts = [], errors = [], changes = [] } = checked.value ?? {}
  const issueTexts = new Map<string, string>(Object.entries(issues))
  const titleOf = (id: string, resource: keyof typeof operations.resources) =>
    changes.find((change) => change.id === id)?.title ?? operations.resources[resource]
  const say = (field: string, value: unknown) => describeReleased(field, value) ?? words.field
  return (
    <>
      {conflicts.length > 0 && (
        <section class="group">
          <h3>{texts.conflicts}</h3>
          <ul class="entries">
            {conflicts.map(({ id, resource, field, yours, current }) => (
              <li key={`${id} ${field}`}>
                {texts.conflict(
                  titleOf(id, resource),
                  describeField(toFieldName(field)),
                  say(toFieldName(field), yours),
                  say(toFieldName(field), current),
                )}
              </li>
            ))}
          </ul>
          {errors.length === 0 && hasScope('releases:publish') && (
            <button type="button" onClick={onPublish}>
              {texts.publishMine}
            </button>
          )}
        </section>
      )}
      {errors.length > 0 && (
        <section class="group">
          <h3>{texts.errors}</h3>
          <ul class="entries">
            {errors.map(({ id, resource, pointer = '', code, message }) => (
              <li key={`${id} ${pointer} ${code}`}>
                {[titleOf(id, resource), pointer && describeField(toFieldName(pointer))].filter(Boolean).join(', ')}:{' '}
                {issueTexts.get(code) ?? message}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The changes of a release in words, one object each. */
export function DifferencesSheet(props: { release: Release; onPublish: () => void; onClose: () => void }) {
  const { release, onPublish, onClose } = props
  const { release: texts, operations } = t()
  const isAsking = useSignal(false)
  const takeOut = (id: string) =>
    void remove(id).then(() => {
      preparedRevision.value++
    }, showError)
  const discard = async () => {
    isAsking.value = false
    try {
      await liveApi().releases.cancel(release.id)
      onClose()
      leaveRelease()
      showStatus(texts.discarded(release.title))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      kind="sheet"
      title={texts.differences}
      onClose={onClose}
      footer={
        <button type="button" class="danger-text" onClick={() => (isAsking.value = true)}>
          {texts.discard}
        </button>
      }
    >
      <Obstacles onPublish={onPublish} />
      {checked.value?.changes.length === 0 && <p>{texts.count(0)}</p>}
      <ul class="entries changes">
        {checked.value?.changes.map((change) => (
          <li key={change.id}>
            <span>
              {operations.named(operations.resources[change.resource], change.title)}
              {listDifferences(change).map((line) => (
                <small key={line}>{line}</small>
              ))}
            </span>
            <RemoveButton name={texts.takeOut(change.title)} onClick={() => takeOut(change.id)} />
          </li>
        ))}
      </ul>
      {isAsking.value && (
        <Confirm
          title={texts.confirmDiscard(release.title)}
          text={texts.discardHint}
          confirm={texts.discard}
          onConfirm={() => void discard()}
          onCancel={() => (isAsking.value = false)}
        />
      )}
    </Dialog>
  )
}
