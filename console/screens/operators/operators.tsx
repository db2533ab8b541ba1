import { useSignal } from '@preact/signals'
import type { OperatorPerson as Operator, OperatorCreate } from '../../../packages/client/src/client.ts'
import { operatorApi } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { isAdmin, operator } from '../../app/session.ts'
import { Field } from '../../ui/controls.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { usePages } from '../../ui/paged.ts'
import { PlainRows, RemoveButton } from '../../ui/plain-rows.tsx'
import { Select } from '../../ui/select.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { PlatformKeys } from './platform-keys.tsx'

type Role = Operator['role']
const roles = ['admin', 'support'] as const satisfies readonly Role[]

/** Adds an operator. */
function NewOperator({ onMade, onClose }: { onMade: (url: string) => void; onClose: () => void }) {
  const { operators: texts, settings, join } = t()
  const form = useSignal<{ name: string; email: string; role: Role }>({ name: '', email: '', role: 'support' })
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const submit = async () => {
    const { name, email, role } = form.value
    const fields: OperatorCreate = { name, role, ...(email.trim() !== '' && { email }) }
    try {
      const { url } = await operatorApi().operators.create(fields)
      onMade(url)
    } catch (error) {
      errors.value = readFieldErrors(error)
      showError(error)
    }
  }
  return (
    <FormDialog title={texts.create} submit={settings.makeLink} onSubmit={submit} onClose={onClose}>
      <Field
        label={settings.name}
        value={form.value.name}
        error={errors.value.get('name')}
        onInput={(name) => (form.value = { ...form.value, name })}
        input={{ required: true, maxLength: 255 }}
      />
      <Field
        label={texts.email}
        hint={texts.emailHint}
        value={form.value.email}
        error={errors.value.get('email')}
        onInput={(email) => (form.value = { ...form.value, email })}
        input={{ type: 'email', maxLength: 320 }}
      />
      <Select
        label={settings.role}
        value={form.value.role}
        options={roles.map((role) => [role, join.operatorRoles[role]] as const)}
        onChange={(role) => (form.value = { ...form.value, role })}
      />
      <p class="hint">{texts.roles}</p>
    </FormDialog>
  )
}

/** The people who operate the service. */
export default function Operators() {
  const { operators: texts, settings, join, operations, screens } = t()
  const list = usePages((cursor) => operatorApi().operators.list(cursor === undefined ? {} : { cursor }), '')
  const isAdding = useSignal(false)
  const url = useSignal('')
  const removed = useSignal<Operator | undefined>(undefined)
  const act = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      showStatus(done)
    } catch (error) {
      showError(error)
    }
    await list.reload()
  }
  const invite = async ({ id }: Operator) => {
    try {
      url.value = (await operatorApi().operators.invite(id)).url
    } catch (error) {
      showError(error)
    }
    await list.reload()
  }
  const remove = ({ id, name }: Operator) => {
    removed.value = undefined
    return act(() => operatorApi().operators.delete(id), settings.memberRemoved(name))
  }
  const describe = ({ email, passkeys, invitedUntil }: Operator) =>
    [
      email,
      settings.passkeys(passkeys),
      invitedUntil === undefined ? undefined : `${settings.invited}, ${settings.expires(formatTime(invitedUntil))}`,
    ].filter((part) => part !== undefined)
  return (
    <div class="plain">
      <PlainRows
        name={screens.operators}
        head={[settings.name, settings.role, settings.lastUsed, '']}
        items={list.items.value}
        keyOf={({ id }) => id}
        more={list.more}
        none={texts.none}
      >
        {(row) => (
          <>
            <th scope="row">
              {row.name} {row.id === operator.value?.operator?.id && `· ${operations.you}`}
              <small>{describe(row).join(' · ')}</small>
            </th>
            <td>
              {isAdmin() ? (
                <select
                  aria-label={settings.roleOf(row.name)}
                  value={row.role}
                  onChange={({ currentTarget }) => {
                    const role = roles[currentTarget.selectedIndex]
                    // The displayed text depends on the list.
                    currentTarget.value = row.role
                    if (role)
                      void act(
                        () => operatorApi().operators.update(row.id, { role }),
                        settings.roleChanged(row.name, join.operatorRoles[role]),
                      )
                  }}
                >
                  {roles.map((role) => (
                    <option key={role} value={role}>
                      {join.operatorRoles[role]}
                    </option>
                  ))}
                </select>
              ) : (
                join.operatorRoles[row.role]
              )}
            </td>
            <td data-label={settings.lastUsed}>
              {row.lastUsedAt === undefined ? settings.never : formatTime(row.lastUsedAt)}
            </td>
            <td class="end">
              {isAdmin() && (
                <>
                  <button type="button" aria-label={texts.linkFor(row.name)} onClick={() => invite(row)}>
                    {texts.link}
                  </button>{' '}
                  <RemoveButton name={settings.removeMember(row.name)} onClick={() => (removed.value = row)} />
                </>
              )}
            </td>
          </>
        )}
      </PlainRows>
      {isAdmin() && (
        <p>
          <button type="button" data-shortcut="create" onClick={() => (isAdding.value = true)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        </p>
      )}
      <p class="hint">{texts.tokenHint}</p>
      {isAdmin() && <PlatformKeys />}
      {isAdding.value && (
        <NewOperator
          onMade={(made) => {
            isAdding.value = false
            url.value = made
            void list.reload()
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {url.value && (
        <Dialog
          title={settings.invitationLink}
          footer={
            <button type="button" class="primary" onClick={() => (url.value = '')}>
              {settings.done}
            </button>
          }
        >
          <p>{texts.linkHint}</p>
          <CopyField label={settings.invitationLink} value={url.value} />
        </Dialog>
      )}
      {removed.value && (
        <Confirm
          title={settings.removeTitle(removed.value.name)}
          text={texts.removeText}
          confirm={settings.removeConfirm}
          onConfirm={() => removed.value && remove(removed.value)}
          onCancel={() => (removed.value = undefined)}
        />
      )}
    </div>
  )
}
