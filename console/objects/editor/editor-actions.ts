import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { describeError, readFieldErrors } from '../../app/problems.ts'
import { clearGuards, navigate, path } from '../../app/router.ts'
import { clearAlerts, showAlert, showError } from '../../ui/toasts.tsx'
import type { EditorProps, FieldErrors, Stored } from '../editor-parts.ts'
import { copyObject } from './copy-object.ts'
import { deleteObject } from './delete-object.ts'
import type { FormErrors } from './field-errors.ts'
import { createAttempt, storeObject, takeBack } from './store-object.ts'
import type { TypedForm } from './typed-form.ts'

/** Actions of the buttons of an editor. Shows failures to the person. */
export function useEditorActions<Item extends Stored, Body extends object, Form extends object>(
  props: EditorProps<Item, Body, Form>,
  { row, saved, form }: TypedForm<Item, Form>,
  errors: FormErrors,
  isChanged: () => boolean,
) {
  const { store, aliases = {}, parts = [], toCopy, onClose } = props
  const { toBody, findErrors } = props.form
  const isSaving = useSignal(false)
  const attempt = useRef(createAttempt())

  const close = () => {
    clearGuards()
    onClose()
  }
  /** Marks fields with errors. For a field that the editor does not show, the alert describes the error. */
  const showFields = (fields: FieldErrors, summary: string, isAlwaysSaid: boolean) =>
    errors.show(fields, (isMarked) => {
      const names = [...fields.keys()]
      const deepest = [...fields].filter(([name]) => !names.some((other) => other.startsWith(`${name}/`)))
      if (!isMarked) showAlert(`${summary} ${deepest.map(([name, text]) => `${name}: ${text}`).join(' ')}`)
      else if (isAlwaysSaid) showAlert(summary)
    })
  const showFailure = (error: unknown) => {
    const fields = new Map([...readFieldErrors(error)].map(([path, text]) => [aliases[path] ?? path, text] as const))
    if (fields.size === 0) return showError(error)
    showFields(fields, describeError(error), true)
  }
  return {
    isSaving: isSaving.value,
    /** Stores the typed changes. Closes the editor unless the person has typed more during the request. */
    async save(): Promise<void> {
      if (isSaving.value) return
      const found = new Map([...findErrors(form.value), ...parts.flatMap((part) => [...part.findErrors()])])
      if (found.size > 0) return showFields(found, t().problem.invalid, false)
      isSaving.value = true
      clearAlerts()
      try {
        for (const part of parts) {
          const undo = await part.prepare?.()
          if (undo) attempt.current.undos.push(undo)
        }
        const typed = form.value
        await storeObject(props, { row: row.value, saved: saved.value, typed }, attempt.current, (stored) => {
          row.value = stored
          saved.value = typed
        })
        attempt.current = createAttempt()
        if (!isChanged()) close()
      } catch (error) {
        showFailure(error)
      }
      isSaving.value = false
    },
    /** Undoes the parts that a failed save has stored. If that fails, shows what is stored. */
    async takeBackStored(): Promise<void> {
      const { created, saved: changed } = t().object
      const say = attempt.current.isNew ? created : changed
      const stored = row.value
      await takeBack(attempt.current).catch((error) => {
        if (stored) showAlert(`${describeError(error)} ${say(store.titleOf(stored.item))}`)
      })
    },
    /** Deletes the object and closes the editor. */
    remove(): void {
      if (row.value) deleteObject(props, row.value.item).then(close, showError)
    },
    /** Creates a copy of the stored object, and opens it. */
    duplicate(): void {
      if (!row.value || !toCopy) return
      const openCopy = (copy: string) => navigate(path.value.replace(/[^/]+$/, copy))
      copyObject(store, row.value.item, toCopy(toBody(saved.value)), parts).then(openCopy, showError)
    },
  }
}
