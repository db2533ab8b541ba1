import { useSignal } from '@preact/signals'
import type { PlatformKey, PlatformKeyCreate } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/paged.ts'
import { PlainRows, RemoveButton } from '../../ui/plain-rows.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'

type Scope = PlatformKeyCreate['scopes'][number]
const scopes = [
  'platform:merchants:read',
  'platform:merchants:write',
  'platform:usage:read',
] as const satisfies readonly Scope[]

/** Creates a key for a program. */
function NewPlatformKey({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const { operators: texts } = t()
  const title = useSignal('')
  const chosen = useSignal<readonly Scope[]>(['platform:usage:read'])
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const submit = async () => {
    try {
      const { key } = await operatorApi().platformKeys.create({ title: title.value, scopes: [...chosen.value] })
      onMade(key)
    } catch (error) {
      errors.value = readFieldErrors(error)
      showError(error)
    }
  }
  return (
    <FormDialog title={texts.newKey} submit={texts.newKey} onSubmit={submit} onClose={onClose}>
      <Field
        label={texts.keyTitle}
        value={title.value}
        error={errors.value.get('title')}
        onInput={(typed) => {
          title.value = typed
        }}
        input={{ required: true, maxLength: 255 }}
      />
      <fieldset>
        <legend>{texts.keyScopes}</legend>
        {scopes.map((scope) => (
          <Check
            key={scope}
            label={texts.scopes[scope]}
            isOn={chosen.value.includes(scope)}
            onChange={(isOn) => {
              chosen.value = scopes.filter((each) => (each === scope ? isOn : chosen.value.includes(each)))
            }}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

/** The keys of the operator's programs. */
export function PlatformKeys() {
  const { operators: texts, settings } = t()
  const list = usePages((cursor) => operatorApi().platformKeys.list(cursor === undefined ? {} : { cursor }), '')
  const isMaking = useSignal(false)
  const made = useSignal('')
  const removed = useSignal<PlatformKey | undefined>(undefined)
  const revoke = async ({ id, title }: PlatformKey) => {
    removed.value = undefined
    try {
      await operatorApi().platformKeys.revoke(id)
      showStatus(settings.revoked(title))
    } catch (error) {
      showError(error)
    }
    await list.reload()
  }
  return (
    <section class="group" aria-label={texts.keys}>
      <h2>{texts.keys}</h2>
      <PlainRows
        name={texts.keys}
        head={[texts.keyTitle, texts.keyScopes, settings.lastUsed, '']}
        items={list.items.value}
        keyOf={({ id }) => id}
        more={list.more}
        none={texts.noKeys}
      >
        {(key) => (
          <>
            <th scope="row">
              {key.title}
              <small>
                {key.prefix}…{key.last4}
              </small>
            </th>
            <td>{key.scopes.join(', ')}</td>
            <td data-label={settings.lastUsed}>
              {key.lastUsedAt === undefined ? settings.never : formatTime(key.lastUsedAt)}
            </td>
            <td class="end">
              <RemoveButton name={settings.revoke(key.title)} onClick={() => (removed.value = key)} />
            </td>
          </>
        )}
      </PlainRows>
      <p>
        <button type="button" onClick={() => (isMaking.value = true)}>
          <Icon name="plus" />
          {texts.newKey}
        </button>
      </p>
      {isMaking.value && (
        <NewPlatformKey
          onMade={(key) => {
            isMaking.value = false
            made.value = key
            void list.reload()
          }}
          onClose={() => (isMaking.value = false)}
        />
      )}
      {made.value && (
        <Dialog
          title={texts.newKey}
          footer={
            <button type="button" class="primary" onClick={() => (made.value = '')}>
              {settings.done}
            </button>
          }
        >
          <p>{texts.keyHint}</p>
          <CopyField label={texts.newKey} value={made.value} />
        </Dialog>
      )}
      {removed.value && (
        <Confirm
          title={settings.revokeTitle(removed.value.title)}
          text={settings.revokeText}
          confirm={settings.revokeConfirm}
          onConfirm={() => removed.value && revoke(removed.value)}
          onCancel={() => (removed.value = undefined)}
        />
      )}
    </section>
  )
}
