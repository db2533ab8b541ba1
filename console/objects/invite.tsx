import { useSignal } from '@preact/signals'
import type { Member } from '../../packages/client/src/client.ts'
import { t } from '../app/language.ts'
import { Field } from '../ui/controls.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select } from '../ui/select.tsx'
import { showError } from '../ui/toasts.tsx'

type Role = Member['role']
export const roles = ['owner', 'manager', 'staff', 'developer'] as const satisfies readonly Role[]

/** Makes a link for a new member. */
export function Invite(props: {
  initial: Role
  /** Name of the venue, for the text that is shared with the link. */
  venue: string
  create: (invitation: { role: Role; name?: string }) => Promise<{ url: string }>
  onMade?: () => void
  onClose: () => void
}) {
  const { settings: texts } = t()
  const role = useSignal(props.initial)
  const name = useSignal('')
  const url = useSignal('')
  const isBusy = useSignal(false)
  const make = async () => {
    if (isBusy.value) return
    isBusy.value = true
    try {
      const named = name.value.trim()
      url.value = (await props.create({ role: role.value, ...(named && { name: named }) })).url
      props.onMade?.()
    } catch (error) {
      showError(error)
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Dialog
      title={texts.invite}
      onClose={url.value ? undefined : props.onClose}
      footer={
        <button type="button" class="primary" onClick={url.value ? props.onClose : make}>
          {url.value ? texts.done : texts.makeLink}
        </button>
      }
    >
      {url.value ? (
        <>
          <p>{texts.linkHint}</p>
          <CopyField
            label={texts.invitationLink}
            value={url.value}
            share={{ title: t().join.title(props.venue), text: t().join.title(props.venue), url: url.value }}
          />
        </>
      ) : (
        <>
          <Field
            label={texts.invitedName}
            value={name.value}
            onInput={(value) => (name.value = value)}
            input={{ maxLength: 255, autocomplete: 'off' }}
          />
          <Select
            label={texts.role}
            value={role.value}
            options={roles.map((each) => [each, t().join.roles[each]] as const)}
            onChange={(chosen) => (role.value = chosen)}
          />
        </>
      )}
    </Dialog>
  )
}
