import { useSignal } from '@preact/signals'
import type { Member } from '../../../packages/client/src/client.ts'
import { ApiError } from '../../../packages/client/src/client.ts'
import { Field } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { api } from '../api.ts'
import { t } from '../language.ts'
import { hasScope, session } from '../session.ts'
import { createPasskey, describeStatus } from '../sign-in/passkeys.ts'

/** Roles of people who manage a venue, those with more rights first. */
const ownRoles: readonly Member['role'][] = ['owner', 'manager', 'staff', 'developer']

/** An invitation with the first role whose rights the key has. Undefined if the key may not invite anybody. */
async function inviteOneself(name: string) {
  for (const role of ownRoles) {
    try {
      return await api().invitations.create({ role, name, days: 1 })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403)) throw error
    }
  }
  return undefined
}

/** Makes a member of the person who is signed in with a key, with a passkey, and continues with their session. */
function NewPasskey({ onClose }: { onClose: () => void }) {
  const { settings: texts } = t()
  const name = useSignal('')
  const error = useSignal('')
  const isBusy = useSignal(false)
  const create = async () => {
    const named = name.value.trim()
    if (isBusy.value || named === '') return
    isBusy.value = true
    error.value = ''
    try {
      const invitation = await inviteOneself(named)
      const token = invitation?.url.split('#')[1]
      if (!invitation || token === undefined) error.value = texts.askOwner
      else {
        const status = await createPasskey({ token, name: named })
        if (status === 201) {
          showStatus(texts.passkeyAdded)
          return onClose()
        }
        error.value = describeStatus(status)
        await api().invitations.revoke(invitation.id)
      }
    } catch (caught) {
      showError(caught)
    }
    isBusy.value = false
  }
  return (
    <Dialog
      title={texts.addPasskey}
      onClose={onClose}
      footer={
        <button type="button" class="primary" aria-disabled={isBusy.value} onClick={create}>
          {texts.addPasskey}
        </button>
      }
    >
      <p>{texts.ownPasskeyHint}</p>
      <Field
        label={t().join.name}
        value={name.value}
        onInput={(value) => (name.value = value)}
        input={{ required: true, maxLength: 255, autocomplete: 'name' }}
      />
      <div role="alert">{error.value && <p class="error">{error.value}</p>}</div>
    </Dialog>
  )
}

/** For a person who is signed in with a key: makes a passkey if the key may invite people, otherwise says whom to ask. */
export function OwnPasskey() {
  const { settings: texts } = t()
  const isOpen = useSignal(false)
  if (session.value?.user) return null
  if (!hasScope('members:write') || session.value?.mode === 'test') return <p class="hint">{texts.askOwner}</p>
  return (
    <>
      <p class="hint">{texts.ownPasskeyHint}</p>
      <p>
        <button type="button" onClick={() => (isOpen.value = true)}>
          {texts.addPasskey}
        </button>
      </p>
      {isOpen.value && <NewPasskey onClose={() => (isOpen.value = false)} />}
    </>
  )
}
