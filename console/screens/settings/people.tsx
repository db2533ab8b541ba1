import { useSignal } from '@preact/signals'
import type { Invitation, Member } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope, restoreSession, session } from '../../app/session.ts'
import { Invite, roles } from '../../objects/invite.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { type Pages, usePages } from '../../ui/paged.ts'
import { PlainRows, RemoveButton } from '../../ui/plain-rows.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { Passkeys } from './passkeys.tsx'

type Role = Member['role']

interface MemberProps {
  member: Member
  /** Absent, as `onRemove`: the person may not change members. */
  onRole: ((role: Role) => void) | undefined
  onRemove: (() => void) | undefined
}

function MemberCells({ member, onRole, onRemove }: MemberProps) {
  const { settings: texts } = t()
  return (
    <>
      <th scope="row">
        {member.name}
        <small>
          {texts.passkeys(member.passkeys)}
          {member.id === session.value?.user?.id && ` · ${t().operations.you}`}
        </small>
      </th>
      <td>
        {onRole ? (
          <select
            aria-label={texts.roleOf(member.name)}
            value={member.role}
            onChange={({ currentTarget }) => {
              const role = roles[currentTarget.selectedIndex]
              // What is shown follows from the list.
              currentTarget.value = member.role
              if (role) onRole(role)
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
      <td data-label={texts.lastUsed}>
        {member.lastUsedAt === undefined ? texts.never : formatTime(member.lastUsedAt)}
      </td>
      <td class="end">{onRemove && <RemoveButton name={texts.removeMember(member.name)} onClick={onRemove} />}</td>
    </>
  )
}

function InvitationCells({ invitation, onRevoke }: { invitation: Invitation; onRevoke: (() => void) | undefined }) {
  const { settings: texts } = t()
  return (
    <>
      <th scope="row">
        {texts.invited}
        <small>{texts.expires(formatTime(invitation.expiresAt))}</small>
      </th>
      <td>{t().join.roles[invitation.role]}</td>
      <td />
      <td class="end">{onRevoke && <RemoveButton name={texts.revoke(texts.invited)} onClick={onRevoke} />}</td>
    </>
  )
}

/** The members of the venue and the open invitations. */
function Members({ members }: { members: Pages<Member> }) {
  const { settings: texts } = t()
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
  const rows = members.items.value && [...members.items.value, ...(invitations.items.value ?? [])]
  return (
    <>
      <PlainRows
        name={texts.people}
        head={[texts.name, texts.role, texts.lastUsed, '']}
        items={rows}
        keyOf={({ id }) => id}
        more={members.more}
        none={texts.nobody}
      >
        {(row) =>
          'name' in row ? (
            <MemberCells
              member={row}
              onRole={mayWrite ? (role) => changeRole(row, role) : undefined}
              onRemove={mayWrite ? () => (removed.value = row) : undefined}
            />
          ) : (
            <InvitationCells invitation={row} onRevoke={mayWrite ? () => revoke(row) : undefined} />
          )
        }
      </PlainRows>
      <p>
        {mayWrite && (
          <button type="button" onClick={() => (isInviting.value = true)}>
            <Icon name="plus" />
            {texts.invite}
          </button>
        )}
      </p>
      {isInviting.value && (
        <Invite
          initial="staff"
          create={(role) => api().invitations.create({ role })}
          onMade={invitations.reload}
          onClose={() => (isInviting.value = false)}
        />
      )}
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

/** The people of the venue, for those who may see them, and what signs the person in. */
export function People() {
  const members = usePages(
    (cursor) => api().members.list(cursor === undefined ? {} : { cursor }),
    '',
    hasScope('members:read'),
  )
  return (
    <>
      {hasScope('members:read') && <Members members={members} />}
      {session.value?.user && <Passkeys onChange={members.reload} />}
    </>
  )
}
