import { useSignal } from '@preact/signals'
import { Field } from '../../ui/controls.tsx'
import { preloadFrame } from '../frame/load-frame.ts'
import { keepLanguage, language, languageNames, startTexts } from '../language.ts'
import { hasEnded, signIn, signInOperator } from '../session.ts'
import { describeStatus, signInOperatorWithPasskey, signInWithPasskey } from './passkeys.ts'

/** The form that exchanges an API key for a session. */
export function SignIn() {
  const { signIn: texts, problem, shell } = startTexts()
  const key = useSignal('')
  const error = useSignal('')
  const isBusy = useSignal(false)
  const isOperator = useSignal(false)
  const send = async (request: () => Promise<number>, rejected?: string) => {
    if (isBusy.value) return
    isBusy.value = true
    error.value = ''
    preloadFrame()
    try {
      const status = await request()
      if (status !== 201) error.value = describeStatus(status, rejected)
    } catch {
      error.value = problem.offline
    }
    isBusy.value = false
  }
  const submit = (event: Event) => {
    event.preventDefault()
    return isOperator.value
      ? send(() => signInOperator({ token: key.value.trim() }), texts.operatorRejected)
      : send(() => signIn(key.value.trim()), texts.rejected)
  }
  return (
    <main class="sign-in" id="content" tabIndex={-1}>
      <form class="card" onSubmit={submit}>
        <h1>{texts.title}</h1>
        {hasEnded.value && <p role="status">{texts.ended}</p>}
        <button
          type="button"
          class="primary"
          aria-disabled={isBusy.value}
          onClick={() => send(isOperator.value ? signInOperatorWithPasskey : () => signInWithPasskey())}
        >
          {texts.passkey}
        </button>
        <Field
          label={isOperator.value ? texts.operatorToken : texts.key}
          value={key.value}
          onInput={(value) => {
            key.value = value
          }}
          hint={isOperator.value ? texts.operatorHint : texts.hint}
          input={{ type: 'password', required: true, spellcheck: false, autocomplete: 'off', maxLength: 1_024 }}
        />
        <div role="alert">{error.value && <p class="error">{error.value}</p>}</div>
        <button type="submit" aria-disabled={isBusy.value}>
          {texts.submit}
        </button>
        <button
          type="button"
          class="link"
          onClick={() => {
            isOperator.value = !isOperator.value
            // Needs no token if Cloudflare Access protects the service.
            if (isOperator.value) signInOperator({}).catch(() => undefined)
            key.value = ''
            error.value = ''
          }}
        >
          {isOperator.value ? texts.venue : texts.operator}
        </button>
      </form>
      <p class="languages">
        {languageNames.map(({ tag, name }) => (
          <button
            key={tag}
            type="button"
            class="link"
            lang={tag}
            aria-pressed={language.value === tag}
            aria-label={`${shell.language}: ${name}`}
            onClick={() => keepLanguage(tag)}
          >
            {name}
          </button>
        ))}
      </p>
    </main>
  )
}
