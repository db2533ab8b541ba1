import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { InvitationOpened } from '../../../packages/client/src/client.ts'
import { Field } from '../../ui/controls.tsx'
import { startTexts } from '../language.ts'
import { navigate } from '../router.ts'
import { createPasskey, describeStatus, openInvitation, signInWithPasskey } from './passkeys.ts'

/** The page that the link of an invitation opens. Only the button uses the invitation. Opening the page does not. */
export function Join() {
  const { join: texts, signIn, problem } = startTexts()
  const token = location.hash.slice(1)
  const invitation = useSignal<InvitationOpened | undefined>(undefined)
  const name = useSignal('')
  const error = useSignal('')
  const isBusy = useSignal(false)
  useEffect(() => {
    openInvitation(token).then(
      (found) => {
        invitation.value = found
        name.value = found?.name ?? ''
        if (!found) error.value = texts.invalid
      },
      () => (error.value = problem.offline),
    )
  }, [])
  const act = async (request: () => Promise<number>) => {
    if (isBusy.value) return
    isBusy.value = true
    error.value = ''
    try {
      const status = await request()
      if (status === 201) return navigate('', { replace: true })
      error.value = describeStatus(status, status === 401 ? undefined : texts.invalid)
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
          void act(() => createPasskey({ token, name: name.value.trim() }))
        }}
      >
        <h1>{found ? texts.title(found.merchant.name) : texts.invitation}</h1>
        {found && (
          <>
            <p>{texts.intro(texts.roles[found.role])}</p>
            <Field
              label={texts.name}
              value={name.value}
              onInput={(value) => {
                name.value = value
              }}
              input={{ required: true, maxLength: 255, autocomplete: 'name' }}
            />
          </>
        )}
        <div role="alert">{error.value && <p class="error">{error.value}</p>}</div>
        {found && (
          <>
            <button type="submit" class="primary" aria-disabled={isBusy.value}>
              {texts.create}
            </button>
            <button type="button" aria-disabled={isBusy.value} onClick={() => act(() => signInWithPasskey({ token }))}>
              {signIn.passkey}
            </button>
          </>
        )}
      </form>
    </main>
  )
}
