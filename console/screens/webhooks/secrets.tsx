import { useSignal } from '@preact/signals'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'

/** The secrets with which an endpoint verifies requests. They are shown on request, and can be replaced. */
export function Secrets({ id }: { id: string }) {
  const { webhooks: texts } = t()
  const shown = useSignal<{ secret?: string; token?: string } | undefined>(undefined)
  const question = useSignal<'secret' | 'token' | undefined>(undefined)
  const show = async (read: () => Promise<{ secret?: string; token?: string }>) => {
    question.value = undefined
    try {
      shown.value = await read()
    } catch (error) {
      showError(error)
    }
  }
  const { webhooks } = api()
  const readBoth = async () => {
    const [{ secret }, { bearerToken }] = await Promise.all([webhooks.secret(id), webhooks.retrieve(id)])
    return { secret, token: bearerToken }
  }
  const isSecret = question.value === 'secret'
  return (
    <div class="buttons">
      <button type="button" onClick={() => show(readBoth)}>
        {texts.showSecret}
      </button>
      <button type="button" onClick={() => (question.value = 'secret')}>
        {texts.rotateSecret}
      </button>
      <button type="button" onClick={() => (question.value = 'token')}>
        {texts.rotateToken}
      </button>
      {shown.value && (
        <Dialog
          title={shown.value.secret === undefined ? texts.token : texts.secret}
          onClose={() => (shown.value = undefined)}
        >
          {shown.value.secret !== undefined && (
            <>
              <CopyField label={texts.secret} value={shown.value.secret} />
              <p class="hint">{texts.secretHint}</p>
            </>
          )}
          {shown.value.token !== undefined && (
            <>
              <CopyField label={texts.token} value={shown.value.token} />
              <p class="hint">{texts.tokenHint}</p>
            </>
          )}
        </Dialog>
      )}
      {question.value && (
        <Confirm
          title={isSecret ? texts.rotateSecret : texts.rotateToken}
          text={isSecret ? texts.rotateSecretText : texts.rotateTokenText}
          confirm={texts.rotate}
          onConfirm={() =>
            show(async () =>
              isSecret ? webhooks.rotateSecret(id) : { token: (await webhooks.rotateToken(id)).bearerToken },
            )
          }
          onCancel={() => (question.value = undefined)}
        />
      )}
    </div>
  )
}
