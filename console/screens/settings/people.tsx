import { useSignal } from '@preact/signals'
import type { Invitation, Member } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope, restoreSession, session } from '../../app/session.ts'
import { createPasskey, describeStatus } from '../../app/sign-in/passkeys.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/paged.ts'
import { Select } from '../../ui/select.tsx'
import { showAlert, showError, showStatus } from '../../ui/toasts.tsx'

type Role = Member['role']
const roles = ['owner', 'manager', 'staff', 'developer'] as const satisfies readonly Role[]

/** Makes a link for a new member. */
function Invite({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const { settings: texts } = t()
  const role = useSignal<Role>('staff')
  const url = useSignal('')
  const make = async () => {
    try {
      url.value = (await api().invitations.create({ role: role.value })).url
      onMade()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      title={texts.invite}
      onClose={onClose}
      footer={
        <button type="button" class="primary" onClick={url.value ? onClose : make}>
          {url.value ? texts.done : texts.makeLink}
        </button>
      }
    >
      {url.value ? (
        <>
          <p>{texts.linkHint}</p>
          <CopyField label={texts.invitationLink} value={url.value} />
        </>
      ) : (
        <Select
          label={texts.role}
          value={role.value}
          options={roles.map((each) => [each, t().join.roles[each]] as const)}
          onChange={(chosen) => (role.value = chosen)}
        />
      )}
    </Dialog>
  )
}

/** The members of the venue and the open invitations. */
export function People() {
  const { settings: texts, shell } = t()
  const members = usePages((cursor) => api().members.list(cursor === undefined ? {} : { cursor }), '')
  const invitations = usePages((cursor) => api().invitations.list(cursor === undefined ? {} : { cursor }), '')
  const isInviting = useSignal(false)
  const removed = useSignal<Member | undefined>(undefined)
  const mayWrite = hasScope('members:write')
  const own = session.value?.user?.id
  /** Runs a change, says what it did, and shows the lists anew. */
  const act = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      showStatus(done)
    } catch (error) {
      showError(error)
    }
    await Promise.all([members.reload(), invitations.reload()])
  }
  const changeRole = async (member: Member, role: Role) => {
    await act(() => api().members.update(member.id, { role }), texts.roleChanged(member.name, t().join.roles[role]))
    if (member.id === own) await restoreSession()
  }
  const remove = async ({ id, name }: Member) => {
    removed.value = undefined
    await act(() => api().members.delete(id), texts.memberRemoved(name))
    if (id === own) await restoreSession()
  }
  const revoke = ({ id }: Invitation) => act(() => api().invitations.revoke(id), texts.invitationRevoked)
  const addPasskey = async () => {
    try {
      const status = await createPasskey()
      if (status === 201) showStatus(texts.passkeyAdded)
      else showAlert(describeStatus(status))
      await members.reload()
    } catch (error) {
      showError(error)
    }
  }
  if (!members.items.value) return <p class="hint">{shell.loading}</p>
  return (
    <>
      <table class="plain-rows" aria-label={texts.people}>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.role}</th>
            <th scope="col">{texts.lastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {members.items.value.map((member) => (
            <tr key={member.id}>
              <th scope="row">
                {member.name}
                <small>
                  {texts.passkeys(member.passkeys)}
                  {member.id === own && ` · ${texts.you}`}
                </small>
              </th>
              <td>
                {mayWrite ? (
                  <select
                    aria-label={texts.roleOf(member.name)}
                    value={member.role}
                    onChange={({ currentTarget }) => {
                      const role = roles[currentTarget.selectedIndex]
                      // What is shown follows from the list.
                      currentTarget.value = member.role
                      if (role) void changeRole(member, role)
                    }}
                  >
                    {roles.map((role) => (
                      <option key={role} value={role}>
                        {t().join.roles[role]}
                      </option>
                    ))}
                  </select>
                ) : (
                  t().join.roles[member.role]
                )}
              </td>
              <td>{member.lastUsedAt === undefined ? texts.never : formatTime(member.lastUsedAt)}</td>
              <td class="end">
                {mayWrite && (
                  <button
                    type="button"
                    class="quiet square danger-text"
                    aria-label={texts.removeMember(member.name)}
                    onClick={() => (removed.value = member)}
                  >
                    <Icon name="trash" />
                  </button>
                )}
              </td>
            </tr>
          ))}
          {invitations.items.value?.map((invitation) => (
            <tr key={invitation.id}>
              <th scope="row">
                {texts.invited}
                <small>{texts.expires(formatTime(invitation.expiresAt))}</small>
              </th>
              <td>{t().join.roles[invitation.role]}</td>
              <td />
              <td class="end">
                {mayWrite && (
                  <button
                    type="button"
                    class="quiet square danger-text"
                    aria-label={texts.revoke(texts.invited)}
                    onClick={() => revoke(invitation)}
                  >
                    <Icon name="trash" />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {members.more && (
        <button type="button" class="quiet" onClick={members.more}>
          {texts.more}
        </button>
      )}
      <p>
        {mayWrite && (
          <button type="button" onClick={() => (isInviting.value = true)}>
            <Icon name="plus" />
            {texts.invite}
          </button>
        )}{' '}
        {own && (
          <button type="button" onClick={addPasskey}>
            {texts.addPasskey}
          </button>
        )}
      </p>
      {isInviting.value && <Invite onClose={() => (isInviting.value = false)} onMade={invitations.reload} />}
      {removed.value && (
        <Confirm
          title={texts.removeTitle(removed.value.name)}
          text={texts.removeText}
          confirm={texts.removeConfirm}
          onConfirm={() => removed.value && remove(removed.value)}
          onCancel={() => (removed.value = undefined)}
        />
      )}
    </>
  )
}
