import { useSignal } from '@preact/signals'
import type { Key, KeyFull } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { formatTime } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { hasScope, restoreSession, session } from '../../../app/session.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { usePages } from '../../../ui/paged.ts'
import { PlainRows, RemoveButton } from '../../../ui/plain-rows.tsx'
import { showError, showStatus } from '../../../ui/toasts.tsx'
import { FailedRequests } from './failed-requests.tsx'
import { NewKey } from './new-key.tsx'
import { TestData } from './test-data.tsx'

const titleOf = ({ title, prefix, last4 }: Key) => title ?? `${prefix}…${last4}`

/** The keys of the venue: create (shown once), replace, revoke. */
export function Keys() {
  const { settings: texts } = t()
  const { items, reload, more } = usePages((cursor) => api().keys.list(cursor === undefined ? {} : { cursor }), '')
  const question = useSignal<{ kind: 'roll' | 'revoke'; key: Key } | undefined>(undefined)
  const isMaking = useSignal(false)
  const made = useSignal<KeyFull | undefined>(undefined)
  const inspected = useSignal<Key | undefined>(undefined)
  const mayWrite = hasScope('keys:write')
  const show = (key: KeyFull) => {
    isMaking.value = false
    made.value = key
    showStatus(texts.keyCreated(titleOf(key)))
    void reload()
  }
  const act = async () => {
    const { kind, key } = question.value ?? {}
    question.value = undefined
    if (!kind || !key) return
    try {
      if (kind === 'roll') return show(await api().keys.roll(key.id))
      await api().keys.revoke(key.id)
      showStatus(texts.revoked(titleOf(key)))
      if (key.id === session.value?.key) return await restoreSession()
      await reload()
    } catch (error) {
      showError(error)
    }
  }
  const asked = question.value
  return (
    <>
      <PlainRows
        name={texts.keys}
        head={[texts.title, texts.mode, texts.lastUsed, '']}
        items={items.value}
        keyOf={({ id }) => id}
        more={more}
        none={texts.noEntries}
      >
        {(key) => (
          <>
            <th scope="row">
              {key.title ?? texts.noTitle}
              <small>
                {key.prefix}…{key.last4}
                {key.expiresAt !== undefined && ` · ${texts.expires(formatTime(key.expiresAt))}`}
              </small>
            </th>
            <td>{texts.modes[key.mode]}</td>
            <td data-label={texts.lastUsed}>
              {key.lastUsedAt === undefined ? texts.never : formatTime(key.lastUsedAt)}
            </td>
            <td class="end">
              {hasScope('audit:read') && (
                <button
                  type="button"
                  class="quiet square"
                  aria-label={texts.failuresOf(titleOf(key))}
                  onClick={() => (inspected.value = key)}
                >
                  <Icon name="failures" />
                </button>
              )}
              {mayWrite && (
                <>
                  <button
                    type="button"
                    class="quiet square"
                    aria-label={texts.roll(titleOf(key))}
                    onClick={() => (question.value = { kind: 'roll', key })}
                  >
                    <Icon name="roll" />
                  </button>
                  <RemoveButton
                    name={texts.revoke(titleOf(key))}
                    onClick={() => (question.value = { kind: 'revoke', key })}
                  />
                </>
              )}
            </td>
          </>
        )}
      </PlainRows>
      {mayWrite && (
        <div class="buttons">
          <button type="button" onClick={() => (isMaking.value = true)}>
            <Icon name="plus" />
            {texts.newKey}
          </button>
          {session.value?.mode === 'live' && hasScope('merchant:write') && <TestData />}
        </div>
      )}
      {inspected.value && (
        <FailedRequests
          id={inspected.value.id}
          title={titleOf(inspected.value)}
          onClose={() => (inspected.value = undefined)}
        />
      )}
      {isMaking.value && <NewKey onMade={show} onClose={() => (isMaking.value = false)} />}
      {made.value && (
        <Dialog
          title={titleOf(made.value)}
          footer={
            <button type="button" class="primary" onClick={() => (made.value = undefined)}>
              {texts.done}
            </button>
          }
        >
          <CopyField label={texts.key} value={made.value.key} />
          <p class="hint">{texts.keyHint}</p>
        </Dialog>
      )}
      {asked && (
        <Confirm
          title={(asked.kind === 'roll' ? texts.rollTitle : texts.revokeTitle)(titleOf(asked.key))}
          text={
            asked.kind === 'roll'
              ? texts.rollText
              : `${texts.revokeText}${asked.key.id === session.value?.key ? ` ${texts.revokeOwn}` : ''}`
          }
          confirm={asked.kind === 'roll' ? texts.rollConfirm : texts.revokeConfirm}
          onConfirm={act}
          onCancel={() => (question.value = undefined)}
        />
      )}
    </>
  )
}
