import { useSignal } from '@preact/signals'
import { Field } from '../ui/controls.tsx'
import { chooseLanguage, language, languageNames, t } from './language.ts'
import { hasEnded, signIn, signInOperator } from './session.ts'

/** The form that exchanges an API key for a session. */
export function SignIn() {
  const { signIn: texts, problem, shell } = t()
  const key = useSignal('')
  const error = useSignal('')
  const isBusy = useSignal(false)
  const isOperator = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    isBusy.value = true
    error.value = ''
    try {
      const status = await (isOperator.value ? signInOperator : signIn)(key.value.trim())
      const isRejected = status === 401 || status === 422 || (isOperator.value && status === 404)
      if (isRejected) error.value = isOperator.value ? texts.operatorRejected : texts.rejected
      else if (status === 403) error.value = texts.suspended
      else if (status === 429) error.value = problem.rateLimited
      else if (status >= 400) error.value = problem.unavailable
    } catch {
      error.value = problem.offline
    }
    isBusy.value = false
  }
  return (
    <main class="sign-in" id="content" tabIndex={-1}>
      <form class="card" onSubmit={submit}>
        <h1>{texts.title}</h1>
        {hasEnded.value && <p role="status">{texts.ended}</p>}
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
        <button type="submit" class="primary" disabled={isBusy.value}>
          {texts.submit}
        </button>
        <button
          type="button"
          class="link"
          onClick={() => {
            isOperator.value = !isOperator.value
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
            onClick={() => chooseLanguage(tag)}
          >
            {name}
          </button>
        ))}
      </p>
    </main>
  )
}
