import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { OperatorInvitation } from '../../../packages/client/src/client.ts'
import { startTexts } from '../language.ts'
import { navigate } from '../router.ts'
import { describeStatus, joinAsOperator, openOperatorInvitation } from './passkeys.ts'

/** The page that the link for an operator opens. Only the button uses the invitation. */
export function JoinOperator() {
  const { join: texts, problem } = startTexts()
  const token = location.hash.slice(1)
  const invitation = useSignal<OperatorInvitation | undefined>(undefined)
  const error = useSignal('')
  const isBusy = useSignal(false)
  useEffect(() => {
    openOperatorInvitation(token).then(
      (found) => {
        invitation.value = found
        if (!found) error.value = texts.invalid
      },
      () => (error.value = problem.offline),
    )
  }, [])
  const join = async () => {
    if (isBusy.value) return
    isBusy.value = true
    error.value = ''
    try {
      const status = await joinAsOperator(token)
      if (status === 201) return navigate('', { replace: true })
      error.value = describeStatus(status, texts.invalid)
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
          void join()
        }}
      >
        <h1>{found ? texts.operatorTitle(found.name) : texts.invitation}</h1>
        {found && <p>{texts.intro(texts.operatorRoles[found.role])}</p>}
        <div role="alert">{error.value && <p class="error">{error.value}</p>}</div>
        {found && (
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            {texts.create}
          </button>
        )}
      </form>
    </main>
  )
}
