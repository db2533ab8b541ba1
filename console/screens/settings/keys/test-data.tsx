import { useSignal } from '@preact/signals'
import { api } from '../../../app/api.ts'
import { t } from '../../../app/language.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { showError, showStatus } from '../../../ui/toasts.tsx'

/** Copies the catalogue of live mode into test mode. */
export function TestData() {
  const { settings: texts } = t()
  const isAsked = useSignal(false)
  const copy = async () => {
    isAsked.value = false
    try {
      await api().testData.copy()
      showStatus(texts.testDataStarted)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <>
      <button type="button" onClick={() => (isAsked.value = true)}>
        {texts.testData}
      </button>
      {isAsked.value && (
        <Confirm
          title={texts.testData}
          text={texts.testDataText}
          confirm={texts.testDataConfirm}
          onConfirm={copy}
          onCancel={() => (isAsked.value = false)}
        />
      )}
    </>
  )
}
