import { useSignal } from '@preact/signals'
import type { Invitation, Member } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { OwnPasskey } from '../../app/person/own-passkey.tsx'
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
  /** Absent, like `onRemove`, if the person may not change members. */
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
              // The displayed text depends on the list.
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
        {invitation.name ?? texts.invited}
        <small>
          {invitation.name !== undefined && `${texts.invited} · `}
          {texts.expires(formatTime(invitation.expiresAt))}
        </small>
      </th>
      <td>{t().join.roles[invitation.role]}</td>
      <td />
      <td class="end">
        {onRevoke && <RemoveButton name={texts.revoke(invitation.name ?? texts.invited)} onClick={onRevoke} />}
      </td>
    </>
  )
}

/** The members of the venue and the open invitations. */
function Members({ members }: { members: Pages<Member> }) {
  const { settings: texts } = t()
  const invitations = usePages((cursor) => api().invitations.list(cursor === undefined ? {} : { cursor }), '')
  const isInviting = useSignal(false)
  const removed = useSignal<Member | undefined>(undefined)
  /** The new own role, while the confirmation is open. */
  const newRole = useSignal<{ member: Member; role: Role } | undefined>(undefined)
  const mayWrite = hasScope('members:write')
  const own = session.value?.user?.id
  /** Runs a change of a person or an invitation and shows a message. Reloads the lists, unless the person may no longer see them. */
  const act = async (id: string, change: () => Promise<unknown>, done: string, undo?: () => void) => {
    try {
      await change()
      showStatus(done, undo)
      if (id === own) await restoreSession()
    } catch (error) {
      showError(error)
    }
    if (hasScope('members:read')) await Promise.all([members.reload(), invitations.reload()])
  }
  const changeRole = (member: Member, role: Role): Promise<void> => {
    const { id, name, role: before } = member
    newRole.value = undefined
    return act(
      id,
      () => api().members.update(id, { role }),
      texts.roleChanged(name, t().join.roles[role]),
      id === own ? undefined : () => void changeRole({ ...member, role }, before),
    )
  }
  /** A key press changes a closed list. It must not take away the person's own rights. */
  const chooseRole = (member: Member, role: Role) => {
    if (member.id === own) newRole.value = { member, role }
    else void changeRole(member, role)
  }
  const remove = ({ id, name }: Member) => {
    removed.value = undefined
    return act(id, () => api().members.delete(id), texts.memberRemoved(name))
  }
  const revoke = ({ id }: Invitation) => act(id, () => api().invitations.revoke(id), texts.invitationRevoked)
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
          'passkeys' in row ? (
            <MemberCells
              member={row}
              onRole={mayWrite ? (role) => chooseRole(row, role) : undefined}
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
          venue={session.value?.merchant.name ?? ''}
          create={(invitation) => api().invitations.create(invitation)}
          onMade={invitations.reload}
          onClose={() => (isInviting.value = false)}
        />
      )}
      {newRole.value && (
        <Confirm
          title={texts.ownRoleTitle(t().join.roles[newRole.value.role])}
          text={texts.ownRoleText}
          confirm={texts.ownRoleConfirm}
          onConfirm={() => newRole.value && changeRole(newRole.value.member, newRole.value.role)}
          onCancel={() => (newRole.value = undefined)}
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

/** The people of the venue, if the person may see them, and the person's own passkeys. */
export function People() {
  const members = usePages(
    (cursor) => api().members.list(cursor === undefined ? {} : { cursor }),
    '',
    hasScope('members:read'),
  )
  return (
    <>
      {hasScope('members:read') && <Members members={members} />}
      {session.value?.user ? <Passkeys onChange={members.reload} /> : <OwnPasskey />}
    </>
  )
}
