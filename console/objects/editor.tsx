import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../app/language.ts'
import { describeError, readFieldErrors } from '../app/problems.ts'
import { navigate, path, setGuard } from '../app/router.ts'
import { hasScope } from '../app/session.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { clearAlerts, showAlert, showError } from '../ui/toasts.tsx'
import type { Row } from './change.ts'
import { copyObject } from './editor/copy-object.ts'
import { deleteObject } from './editor/delete-object.ts'
import { DiscardQuestion } from './editor/discard-question.tsx'
import { useDraft } from './editor/draft.ts'
import { EditorFooter } from './editor/editor-footer.tsx'
import { useFieldErrors } from './editor/field-errors.ts'
import { useLeaveGuard } from './editor/leave-guard.ts'
import { Page } from './editor/page.tsx'
import { createAttempt, storeObject, takeBack } from './editor/store-object.ts'
import type { EditorProps, Stored } from './editor-parts.ts'
import type { EditedForm } from './fields.tsx'
import { doOverlap, findChanges, rebase } from './find-changes.ts'

type Question = 'none' | 'delete' | 'discard'

/** The editor of an object, in a sheet. What is typed is kept until it is stored or discarded. */
export function ObjectEditor<Item extends Stored, Body extends object, Form extends object>(
  props: EditorProps<Item, Body, Form>,
) {
  const { layout = 'sheet', id, titles, deleteHint, scope, store, aliases = {}, parts = [], toCopy, onClose } = props
  const { toForm, findErrors, toBody } = props.form
  const { object: texts, action, shell } = t()
  const row = useSignal<Row<Item> | undefined>(undefined)
  const saved = useSignal(toForm())
  const form = useSignal(saved.value)
  const errors = useFieldErrors()
  const question = useSignal<Question>('none')
  const isBusy = useSignal(id !== undefined)
  const attempt = useRef(createAttempt())
  const current = useRef(parts)
  current.current = parts

  const show = (next: Row<Item>) => {
    row.value = next
    saved.value = toForm(next.item)
    form.value = saved.value
  }
  /** Shows a newer version, with what was typed. If others changed the same fields, the next save asks which stay. */
  const adopt = (next: Row<Item>) => {
    const stored = toForm(next.item)
    const listChanges = (to: Form) => findChanges(toBody(saved.value), toBody(to))
    const isContested = doOverlap(listChanges(form.value), listChanges(stored))
    row.value = isContested && row.value ? { item: next.item, etag: row.value.etag } : next
    form.value = rebase(saved.value, form.value, stored)
    saved.value = stored
  }
  useEffect(() => {
    if (id === undefined) return
    store
      .retrieve(id)
      .then(show, (error) => {
        showError(error)
        onClose()
      })
      .finally(() => (isBusy.value = false))
  }, [id])
  const isChanged = () =>
    JSON.stringify(saved.value) !== JSON.stringify(form.value) || current.current.some((part) => part.isChanged())
  const leave = useLeaveGuard(isChanged, () => {
    question.value = 'discard'
  })
  useDraft('', saved, form, id === undefined || row.value !== undefined)

  const close = () => {
    setGuard(undefined)
    onClose()
  }
  const fail = (error: unknown) => {
    const fields = new Map([...readFieldErrors(error)].map(([path, text]) => [aliases[path] ?? path, text] as const))
    if (fields.size === 0) return showError(error)
    errors.show(fields, (isMarked) => {
      if (isMarked) return showError(error)
      // A field that the editor does not show cannot be marked.
      showAlert(`${describeError(error)} ${[...fields].map(([name, text]) => `${name}: ${text}`).join(' ')}`)
    })
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const found = new Map([...findErrors(form.value), ...parts.flatMap((part) => [...part.findErrors()])])
    if (found.size > 0) return errors.show(found)
    isBusy.value = true
    clearAlerts()
    const typed = form.value
    try {
      await storeObject(props, { row: row.value, saved: saved.value, typed }, attempt.current, (stored) => {
        row.value = stored
        saved.value = typed
      })
      attempt.current = createAttempt()
      // What was typed meanwhile is still to be saved.
      if (!isChanged()) close()
    } catch (error) {
      fail(error)
    }
    isBusy.value = false
  }
  const discard = async () => {
    question.value = 'none'
    const { isNew } = attempt.current
    const stored = row.value
    await takeBack(attempt.current).catch((error) => {
      const say = isNew ? texts.created : texts.saved
      if (stored) showAlert(`${describeError(error)} ${say(store.titleOf(stored.item))}`)
    })
    leave()
  }
  const remove = () => {
    question.value = 'none'
    if (row.value) deleteObject(props, row.value.item).then(close, showError)
  }
  const duplicate = () => {
    if (!row.value || !toCopy) return
    const openCopy = (copy: string) => navigate(path.value.replace(/[^/]+$/, copy))
    copyObject(store, row.value.item, toCopy(toBody(saved.value)), parts).then(openCopy, showError)
  }

  const edited: EditedForm<Form> = {
    form: form.value,
    errorOf: errors.errorOf,
    clearErrors: errors.clear,
    set(name, value) {
      form.value = { ...form.value, [name]: value }
      errors.clear(String(name))
    },
    reset(stored, rebased = () => stored) {
      saved.value = { ...saved.value, ...stored }
      form.value = { ...form.value, ...rebased(form.value) }
    },
  }
  const mayWrite = hasScope(scope)
  const Frame = layout === 'page' ? Page : Dialog
  return (
    <Frame
      kind="sheet"
      title={id === undefined ? titles.create : titles.edit}
      onClose={onClose}
      footer={
        mayWrite && (
          <EditorFooter
            isBusy={isBusy.value}
            onDelete={row.value && id !== undefined ? () => (question.value = 'delete') : undefined}
            onDuplicate={toCopy && duplicate}
            onCancel={onClose}
          />
        )
      }
    >
      {id !== undefined && !row.value ? (
        <p class="empty">{shell.loading}</p>
      ) : (
        <form id="object" ref={errors.form} class="form" noValidate onSubmit={save}>
          <fieldset class="plain" disabled={!mayWrite}>
            {props.children(edited, row.value, adopt)}
          </fieldset>
        </form>
      )}
      {question.value === 'delete' && row.value && (
        <Confirm
          title={texts.confirmDelete(store.titleOf(row.value.item))}
          text={deleteHint}
          confirm={action.delete}
          onConfirm={remove}
          onCancel={() => (question.value = 'none')}
        />
      )}
      {question.value === 'discard' && (
        <DiscardQuestion onDiscard={discard} onCancel={() => (question.value = 'none')} />
      )}
    </Frame>
  )
}
