import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { InvitationOpened, OperatorInvitation } from '../../../packages/client/src/client.ts'
import { Field } from '../../ui/controls.tsx'
import { startTexts } from '../language.ts'
import { navigate } from '../router.ts'
import { createPasskey, describeStatus, joinAsOperator, openInvitation, signInWithPasskey } from './passkeys.ts'

/** Sends a request that ends with a session, and shows the first screen, or why it was rejected. */
type Act = (request: () => Promise<number>) => Promise<void>

interface InvitedProps<Invitation> {
  /** The kind of invitation in its address. */
  kind: 'console' | 'console/operator'
  token: string
  title: (found: Invitation) => string
  role: (found: Invitation) => string
  onFound?: (found: Invitation) => void
  accept: () => Promise<number>
  field?: ComponentChildren
  /** Another button. */
  renderOther?: (isBusy: boolean, act: Act) => ComponentChildren
}

/** The page that the link of an invitation opens. Only its buttons use the invitation. Opening the page does not. */
function Invited<Invitation extends object>(props: InvitedProps<Invitation>) {
  const { join: texts, problem } = startTexts()
  const { token } = props
  const invitation = useSignal<Invitation | undefined>(undefined)
  const error = useSignal('')
  const isBusy = useSignal(false)
  useEffect(() => {
    openInvitation<Invitation>(props.kind, token).then(
      (found) => {
        invitation.value = found
        if (found) props.onFound?.(found)
        else error.value = texts.invalid
      },
      () => (error.value = problem.offline),
    )
  }, [])
  const act: Act = async (request) => {
    if (isBusy.value) return
    isBusy.value = true
    error.value = ''
    try {
      const status = await request()
      if (status === 201) return navigate('', { replace: true })
      error.value = describeStatus(status, props.renderOther && status === 401 ? undefined : texts.invalid)
    } catch {
      error.value = problem.offline
    }
    isBusy.value = false
  }
  const found = invitation.value
  return (
    <main class="sign-in" id="content" tabIndex={-1}>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          void act(props.accept)
        }}
      >
        <h1>{found ? props.title(found) : texts.invitation}</h1>
        {found && (
          <>
            <p>{texts.intro(props.role(found))}</p>
            {props.field}
          </>
        )}
        <div role="alert">{error.value && <p class="error">{error.value}</p>}</div>
        {found && (
          <>
            <button type="submit" class="primary" aria-disabled={isBusy.value}>
              {texts.create}
            </button>
            {props.renderOther?.(isBusy.value, act)}
          </>
        )}
      </form>
    </main>
  )
}

/** Accepts the invitation of a member. */
export function Join() {
  const { join: texts, signIn } = startTexts()
  const token = location.hash.slice(1)
  const name = useSignal('')
  return (
    <Invited<InvitationOpened>
      kind="console"
      token={token}
      title={({ merchant }) => texts.title(merchant.name)}
      role={({ role }) => texts.roles[role]}
      onFound={(found) => (name.value = found.name ?? '')}
      accept={() => createPasskey({ token, name: name.value.trim() })}
      field={
        <Field
          label={texts.name}
          value={name.value}
          onInput={(value) => (name.value = value)}
          input={{ required: true, maxLength: 255, autocomplete: 'name' }}
        />
      }
      renderOther={(isBusy, act) => (
        <button type="button" aria-disabled={isBusy} onClick={() => act(() => signInWithPasskey({ token }))}>
          {signIn.passkey}
        </button>
      )}
    />
  )
}

/** Accepts the invitation of an operator. */
export function JoinOperator() {
  const { join: texts } = startTexts()
  const token = location.hash.slice(1)
  return (
    <Invited<OperatorInvitation>
      kind="console/operator"
      token={token}
      title={({ name }) => texts.operatorTitle(name)}
      role={({ role }) => texts.operatorRoles[role]}
      accept={() => joinAsOperator(token)}
    />
  )
}
