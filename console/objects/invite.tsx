import { useSignal } from '@preact/signals'
import type { Member } from '../../packages/client/src/client.ts'
import { t } from '../app/language.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { Select } from '../ui/select.tsx'
import { showError } from '../ui/toasts.tsx'

type Role = Member['role']
export const roles = ['owner', 'manager', 'staff', 'developer'] as const satisfies readonly Role[]

/** Makes a link for a new member. */
export function Invite(props: {
  initial: Role
  create: (role: Role) => Promise<{ url: string }>
  onMade?: () => void
  onClose: () => void
}) {
  const { settings: texts } = t()
  const role = useSignal(props.initial)
  const url = useSignal('')
  const make = async () => {
    try {
      url.value = (await props.create(role.value)).url
      props.onMade?.()
    } catch (error) {
      showError(error)
    }
  }
  if (url.value === '')
    return (
      <FormDialog title={texts.invite} submit={texts.makeLink} onSubmit={make} onClose={props.onClose}>
        <Select
          label={texts.role}
          value={role.value}
          options={roles.map((each) => [each, t().join.roles[each]] as const)}
          onChange={(chosen) => (role.value = chosen)}
        />
      </FormDialog>
    )
  return (
    <Dialog
      title={texts.invite}
      onClose={props.onClose}
      footer={
        <button type="button" class="primary" onClick={props.onClose}>
          {texts.done}
        </button>
      }
    >
      <p>{texts.linkHint}</p>
      <CopyField label={texts.invitationLink} value={url.value} />
    </Dialog>
  )
}
