import { useSignal } from '@preact/signals'
import type { KeyCreate, KeyFull } from '../../../../packages/client/src/client.ts'
import { api } from '../../../app/api.ts'
import { t } from '../../../app/language.ts'
import { readFieldErrors } from '../../../app/problems.ts'
import { session } from '../../../app/session.ts'
import { Field } from '../../../ui/controls.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { showError } from '../../../ui/toasts.tsx'

type Scope = NonNullable<KeyCreate['scopes']>[number]
type Access = 'normal' | 'read' | 'all'
const isAccount = (scope: string) => /^(?:merchant|keys|members):/.test(scope)

/** The scopes of a new key: at most those of the session, because a person cannot create a key with more rights than their own. */
function chooseScopes(access: Access): Scope[] {
  // The service lists scopes that it knows.
  const own = (session.value?.scopes ?? []).filter((scope): scope is Scope => scope !== '')
  if (access === 'all') return own
  const normal = own.filter((scope) => !isAccount(scope))
  if (access === 'normal') return normal
  const names = normal.map((scope) => scope.replace(/:write$/, ':read'))
  return [...new Set(names)].filter((scope): scope is Scope => /^\w+:read$/.test(scope))
}

/** Asks for the title, the mode and the rights of a new key. */
export function NewKey({ onMade, onClose }: { onMade: (key: KeyFull) => void; onClose: () => void }) {
  const { settings: texts, issue } = t()
  const own = session.value?.mode ?? 'test'
  const title = useSignal('')
  const mode = useSignal<'live' | 'test'>(own)
  const access = useSignal<Access>('normal')
  const addresses = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const addressError = useSignal<string | undefined>(undefined)
  const submit = async () => {
    if (title.value.trim() === '') {
      error.value = issue.required
      return
    }
    try {
      const allowedIps = addresses.value.split(/[\s,;]+/).filter((text) => text !== '')
      const fields = { title: title.value.trim(), mode: mode.value, scopes: chooseScopes(access.value) }
      onMade(await api().keys.create({ ...fields, ...(allowedIps.length > 0 && { allowedIps }) }))
    } catch (failure) {
      error.value = readFieldErrors(failure).get('title')
      addressError.value = readFieldErrors(failure).get('allowedIps')
      showError(failure)
    }
  }
  const modes = [
    ['live', texts.modes.live],
    ['test', texts.modes.test],
  ] as const
  return (
    <FormDialog title={texts.newKey} submit={texts.create} onSubmit={submit} onClose={onClose}>
      <Field
        label={texts.title}
        value={title.value}
        error={error.value}
        input={{ maxLength: 255 }}
        onInput={(typed) => {
          title.value = typed
          error.value = undefined
        }}
      />
      <Select
        label={texts.mode}
        value={mode.value}
        options={modes.filter(([name]) => own === 'live' || name === 'test')}
        onChange={(value) => {
          mode.value = value
        }}
      />
      <Select<Access>
        label={texts.access}
        value={access.value}
        options={[
          ['normal', texts.accesses.normal],
          ['read', texts.accesses.read],
          ['all', texts.accesses.all],
        ]}
        onChange={(value) => {
          access.value = value
        }}
      />
      <Field
        label={texts.addresses}
        hint={texts.addressesHint}
        value={addresses.value}
        error={addressError.value}
        input={{ autocapitalize: 'none', spellcheck: false }}
        onInput={(typed) => {
          addresses.value = typed
          addressError.value = undefined
        }}
      />
    </FormDialog>
  )
}
