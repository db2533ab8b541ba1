import { useSignal } from '@preact/signals'
import type { Customer } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { clearGuards } from '../../app/router.ts'
import { saveFile } from '../../app/save-file.ts'
import { hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import { TextField } from '../../objects/fields.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { findErrors, getFullName, store, toBody, toForm } from './customer-store.ts'

/** The legal rights of a person: an export of all stored data, and its erasure. */
function PersonalData({ row, close }: { row: Row<Customer>; close: () => void }) {
  const { customers: texts } = t()
  const isAsking = useSignal(false)
  const { id } = row.item
  const name = getFullName(row.item)
  const save = async () => {
    try {
      const data = await api().customers.export(id)
      saveFile(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }), `${id}.json`)
      showStatus(texts.exported(name))
    } catch (error) {
      showError(error)
    }
  }
  const erase = async () => {
    isAsking.value = false
    try {
      await api().customers.erase(id)
      store.rows.value = store.rows.value.filter(({ item }) => item.id !== id)
      showStatus(texts.erased(name))
      close()
    } catch (error) {
      showError(error)
    }
  }
  return (
    <section class="group" aria-label={texts.personalData}>
      <h3>{texts.personalData}</h3>
      <p class="hint">{texts.personalDataHint}</p>
      <div class="buttons">
        <button type="button" onClick={save}>
          {texts.export}
        </button>
        <button type="button" class="danger-text" onClick={() => (isAsking.value = true)}>
          {texts.erase}
        </button>
      </div>
      {isAsking.value && (
        <Confirm
          title={texts.confirmErase(name)}
          text={texts.confirmEraseHint}
          confirm={texts.erase}
          onConfirm={erase}
          onCancel={() => (isAsking.value = false)}
        />
      )}
    </section>
  )
}

export function CustomerEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { customers: texts } = t()
  return (
    <ObjectEditor
      id={id}
      titles={texts}
      deleteHint={texts.deleteHint}
      scope="customers:write"
      store={store}
      form={{ toForm, findErrors, toBody }}
      onClose={onClose}
    >
      {(of, row) => (
        <>
          <TextField of={of} name="firstName" label={texts.firstName} input={{ autofocus: id === undefined }} />
          <TextField of={of} name="lastName" label={texts.lastName} />
          <TextField
            of={of}
            name="email"
            label={texts.email}
            input={{ inputMode: 'email', autocapitalize: 'none', spellcheck: false }}
          />
          <TextField of={of} name="phone" label={texts.phone} input={{ inputMode: 'tel' }} />
          {row && hasScope('customers:write') && (
            <PersonalData
              row={row}
              close={() => {
                clearGuards()
                onClose()
              }}
            />
          )}
        </>
      )}
    </ObjectEditor>
  )
}
