import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../app/language.ts'
import { describeError, readFieldErrors } from '../app/problems.ts'
import { navigate, path, setGuard } from '../app/router.ts'
import { hasScope } from '../app/session.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { clearAlerts, showAlert, showError, showStatus } from '../ui/toasts.tsx'
import type { Row } from './change.ts'
import { useDraft } from './editor/draft.ts'
import { EditorFooter } from './editor/editor-footer.tsx'
import { useLeaveGuard } from './editor/leave-guard.ts'
import { Page } from './editor/page.tsx'
import type { EditorProps, FieldErrors, Stored } from './editor-parts.ts'
import type { EditedForm } from './fields.tsx'
import { doOverlap, findChanges, rebase } from './find-changes.ts'
import { createExternalIdPart } from './restore.ts'

type Question = 'none' | 'delete' | 'discard'

/** The editor of an object, in a sheet. What is typed is kept until it is stored or discarded. */
export function ObjectEditor<Item extends Stored, Body extends object, Form extends object>({
  layout = 'sheet',
  id,
  titles,
  deleteHint,
  restoredHint = '',
  isFinal = false,
  scope,
  store,
  form: { toForm, findErrors, toBody },
  aliases = {},
  parts = [],
  toCopy,
  onClose,
  children,
}: EditorProps<Item, Body, Form>) {
  const { object: texts, action, shell } = t()
  const row = useSignal<Row<Item> | undefined>(undefined)
  const saved = useSignal(toForm())
  const form = useSignal(saved.value)
  const errors = useSignal<FieldErrors>(new Map())
  const question = useSignal<Question>('none')
  const isBusy = useSignal(id !== undefined)
  const element = useRef<HTMLFormElement>(null)
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
  const fail = (found: FieldErrors) => {
    errors.value = found
    requestAnimationFrame(() => {
      const field = element.current?.querySelector<HTMLElement>('[aria-invalid=true]')
      field?.closest('details')?.setAttribute('open', '')
      field?.focus()
    })
  }
  const clearErrors = (name: string) => {
    errors.value = new Map([...errors.value].filter(([path]) => path !== name && !path.startsWith(`${name}/`)))
  }
  const storeAll = async () => {
    const sent = form.value
    const isNew = row.value === undefined
    const changes = findChanges(toBody(saved.value), toBody(sent))
    const undos: (() => Promise<unknown>)[] = []
    let next = row.value
    let isMine = true
    if (!next) next = await store.create(toBody(sent))
    else if (Object.keys(changes).length > 0) {
      const result = await store.update(next, changes)
      next = result.row
      isMine = result.isMine
      // What others changed meanwhile stays.
      const [stored, previous] = [result.row, result.before].map(({ item }) => toBody(toForm(item)))
      if (isMine && stored && previous) undos.push(() => store.update(result.row, findChanges(stored, previous)))
    }
    // From here on the object is stored: if a part fails, the next attempt changes it.
    row.value = next
    saved.value = sent
    for (const part of parts) {
      const undo = part.isChanged() ? await part.save(next.item.id) : undefined
      if (undo) undos.push(undo)
    }
    const title = store.titleOf(next.item)
    const undoAll = async () => {
      for (const undo of undos) await undo()
      showStatus(t().object.undone)
    }
    if (isNew) showStatus(texts.created(title))
    else if (isMine) showStatus(texts.saved(title), undos.length > 0 ? () => undoAll().catch(showError) : undefined)
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const found = new Map([...findErrors(form.value), ...parts.flatMap((part) => [...part.findErrors()])])
    if (found.size > 0) return fail(found)
    isBusy.value = true
    clearAlerts()
    try {
      await storeAll()
      // What was typed meanwhile is still to be saved.
      if (!isChanged()) close()
    } catch (error) {
      const fields = new Map([...readFieldErrors(error)].map(([path, text]) => [aliases[path] ?? path, text] as const))
      if (fields.size > 0) fail(fields)
      // A field that the editor does not show cannot be marked.
      requestAnimationFrame(() => {
        const isMarked = element.current?.querySelector('[aria-invalid=true]') != null
        if (fields.size === 0 || isMarked) showError(error)
        else showAlert(`${describeError(error)} ${[...fields].map(([name, text]) => `${name}: ${text}`).join(' ')}`)
      })
    }
    isBusy.value = false
  }
  const remove = async () => {
    question.value = 'none'
    const deleted = row.value
    if (!deleted) return
    try {
      const title = store.titleOf(deleted.item)
      const stored = isFinal ? [] : [...parts, createExternalIdPart(scope.replace(/:.*/, ''))]
      const restoreParts = await Promise.all(stored.map((part) => part.prepareRestore(deleted.item)))
      // With another id.
      const restore = async () => {
        const restored = await store.create(toBody(toForm(deleted.item)))
        for (const restorePart of restoreParts) await restorePart(restored.item)
      }
      await store.remove(deleted.item.id)
      const undo = () => void restore().then(() => showStatus(`${texts.restored(title)} ${restoredHint}`), showError)
      showStatus(texts.deleted(title), isFinal ? undefined : undo)
      close()
    } catch (error) {
      showError(error)
    }
  }

  const duplicate = async () => {
    const source = row.value
    if (!source || !toCopy) return
    try {
      const body = toCopy(toBody(saved.value))
      const title = texts.copyOf(store.titleOf(source.item))
      const copied = await Promise.all(
        parts.filter(({ isCopied }) => isCopied).map((part) => part.prepareRestore(source.item)),
      )
      const made = await store.create({ ...body, title })
      for (const copy of copied) await copy(made.item)
      showStatus(texts.created(title))
      navigate(path.value.replace(/[^/]+$/, made.item.id))
    } catch (error) {
      showError(error)
    }
  }

  const edited: EditedForm<Form> = {
    form: form.value,
    errorOf: (name) => errors.value.get(name),
    clearErrors,
    set(name, value) {
      form.value = { ...form.value, [name]: value }
      clearErrors(String(name))
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
        <form id="object" ref={element} class="form" noValidate onSubmit={save}>
          <fieldset class="plain" disabled={!mayWrite}>
            {children(edited, row.value, adopt)}
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
        <Confirm
          title={texts.unsaved}
          text={texts.unsavedHint}
          confirm={texts.discard}
          cancel={texts.keepEditing}
          onConfirm={leave}
          onCancel={() => (question.value = 'none')}
        />
      )}
    </Frame>
  )
}
