import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Passkey } from '../../../packages/client/src/client.ts'
import { personApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { sendConfirmed } from '../../app/person/confirm.ts'
import { createPasskey, describeStatus } from '../../app/sign-in/passkeys.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PlainRows, RemoveButton } from '../../ui/plain-rows.tsx'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'

const collection = '/console/passkeys'
const at = ({ id }: Passkey) => `${collection}/${encodeURIComponent(id)}`

/** The passkeys of the signed-in person: rename, add, delete. */
export function Passkeys({ onChange }: { onChange: () => void }) {
  const { settings: texts, action } = t()
  const items = useSignal<readonly Passkey[] | undefined>(undefined)
  const removed = useSignal<Passkey | undefined>(undefined)
  const nameOf = ({ title, createdAt }: Passkey) => title ?? texts.passkeySince(formatTime(createdAt))
  const load = async () => {
    try {
      items.value = await personApi.get<Passkey[]>(collection)
    } catch (error) {
      showError(error)
    }
  }
  useEffect(() => void load(), [])
  const rename = async (passkey: Passkey, title: string | null) => {
    try {
      const renamed = await personApi.post<Passkey>(at(passkey), { title })
      items.value = items.value?.map((each) => (each.id === renamed.id ? renamed : each))
      showStatus(texts.passkeyNamed(nameOf(renamed)), () => void rename(renamed, passkey.title ?? null))
    } catch (error) {
      showError(error)
      await load()
    }
  }
  const add = async () => {
    try {
      const status = await createPasskey(undefined, sendConfirmed)
      if (status === 201) showStatus(texts.passkeyAdded)
      else showAlert(status === 403 ? t().person.unconfirmed : describeStatus(status))
      await load()
      onChange()
    } catch (error) {
      showError(error)
    }
  }
  const remove = async (passkey: Passkey) => {
    removed.value = undefined
    try {
      await personApi.send({ method: 'DELETE', path: at(passkey) })
      showStatus(texts.passkeyDeleted(nameOf(passkey)))
      await load()
      onChange()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <section class="own-passkeys">
      <h3>{texts.ownPasskeys}</h3>
      <PlainRows
        name={texts.ownPasskeys}
        head={[texts.name, texts.created, texts.lastUsed, '']}
        items={items.value}
        keyOf={({ id }) => id}
        more={undefined}
      >
        {(passkey) => (
          <>
            <th scope="row">
              <input
                type="text"
                aria-label={texts.passkeyName(nameOf(passkey))}
                placeholder={texts.noTitle}
                maxLength={255}
                value={passkey.title ?? ''}
                onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
                onChange={({ currentTarget }) => rename(passkey, currentTarget.value.trim() || null)}
              />
            </th>
            <td data-label={texts.created}>{formatTime(passkey.createdAt)}</td>
            <td data-label={texts.lastUsed}>
              {passkey.lastUsedAt === undefined ? texts.never : formatTime(passkey.lastUsedAt)}
            </td>
            <td class="end">
              <RemoveButton name={texts.deletePasskey(nameOf(passkey))} onClick={() => (removed.value = passkey)} />
            </td>
          </>
        )}
      </PlainRows>
      <p>
        <button type="button" onClick={add}>
          <Icon name="plus" />
          {texts.addPasskey}
        </button>
      </p>
      {removed.value && (
        <Confirm
          title={`${texts.deletePasskey(nameOf(removed.value))}?`}
          text={texts.deletePasskeyText}
          confirm={action.delete}
          onConfirm={() => removed.value && remove(removed.value)}
          onCancel={() => (removed.value = undefined)}
        />
      )}
    </section>
  )
}
