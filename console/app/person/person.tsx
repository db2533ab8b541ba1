import { useSignal } from '@preact/signals'
import type { OwnSession, Passkey } from '../../../packages/client/src/client.ts'
import { Field } from '../../ui/controls.tsx'
import { Dialog, FormDialog } from '../../ui/dialog.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { showAlert, showError } from '../../ui/toasts.tsx'
import { personApi } from '../api.ts'
import { formatTime } from '../format.ts'
import { t } from '../language.ts'
import { navigate } from '../router.ts'
import { operator, session, signInOperator } from '../session.ts'
import { toBytes } from '../sign-in/credential.ts'
import { describeStatus, getPasskey, passkeysPath, post, signInOperatorWithPasskey } from '../sign-in/passkeys.ts'
import { question } from './confirm.ts'

/** Confirms the session with one of the person's passkeys: other passkeys on the device are not offered. Returns the status of the response. */
async function assertPasskey(): Promise<number> {
  const own = await personApi.get<Passkey[]>(passkeysPath)
  return getPasskey(
    { allowCredentials: own.map(({ id }) => ({ type: 'public-key', id: toBytes(id) })) },
    async (credential) => (await post(`${passkeysPath}/assertion`, { credential })).status,
  )
}

/** Confirms with the token of the operator, or with a passkey of the person. */
function confirmWith(token: string): Promise<number> {
  if (!operator.value) return assertPasskey()
  return operator.value.operator && token === '' ? signInOperatorWithPasskey() : signInOperator({ token })
}

/** Asks the person for a passkey, or the holder for the token, before a request that creates credentials. */
function Question({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { person: texts, signIn } = t()
  const token = useSignal('')
  const person = operator.value?.operator
  const submit = async () => {
    try {
      const status = await confirmWith(token.value.trim())
      if (status === 200 || status === 201) onAnswer(true)
      else showAlert(describeStatus(status, operator.value ? signIn.operatorRejected : texts.rejected))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <FormDialog title={texts.title} submit={texts.confirm} onSubmit={submit} onClose={() => onAnswer(false)}>
      <p>{!operator.value ? texts.text : person ? texts.operatorPersonText : texts.operatorText}</p>
      {operator.value && (
        <Field
          label={signIn.operatorToken}
          value={token.value}
          onInput={(value) => {
            token.value = value
          }}
          input={{ type: 'password', required: !person, spellcheck: false, autocomplete: 'off', maxLength: 1_024 }}
        />
      )}
    </FormDialog>
  )
}

/** Tells the person which of their passkeys were added or deleted, here or at another venue. */
function Notices({ notices, own }: { notices: NonNullable<OwnSession['notices']>; own: OwnSession }) {
  const { person: texts, settings } = t()
  const read = async (open?: string) => {
    try {
      const [newest] = notices
      if (newest) await personApi.send({ method: 'POST', path: `/console/notices/${newest.id}/read` })
      const { notices: _, ...rest } = own
      session.value = rest
      if (open) navigate(open)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Dialog
      title={texts.noticesTitle}
      kind="alert"
      footer={
        <>
          <button type="button" class="quiet" onClick={() => read('/settings')}>
            {settings.ownPasskeys}
          </button>
          <button type="button" class="primary" onClick={() => read()}>
            {texts.understood}
          </button>
        </>
      }
    >
      <ul>
        {notices.map(({ id, operation, title, venue, at }) => (
          <li key={id}>
            <Sentence text={texts[operation](title ?? settings.noTitle, venue, formatTime(at))} />
          </li>
        ))}
      </ul>
      <p>{texts.noticesText}</p>
    </Dialog>
  )
}

/** Dialogs about the person, not about the venue. */
export default function Person() {
  const own = session.value
  const onAnswer = question.value
  return (
    <>
      {own?.notices && <Notices notices={own.notices} own={own} />}
      {onAnswer && <Question onAnswer={onAnswer} />}
    </>
  )
}
