import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../app/language.ts'
import { hasScope } from '../app/session.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { showError } from '../ui/toasts.tsx'
import { DiscardQuestion } from './editor/discard-question.tsx'
import { adopt, useDraft } from './editor/draft.ts'
import { useEditorActions } from './editor/editor-actions.ts'
import { EditorFooter } from './editor/editor-footer.tsx'
import { useFieldErrors } from './editor/field-errors.ts'
import { useLeaveGuard } from './editor/leave-guard.ts'
import { Page } from './editor/page.tsx'
import { useTypedForm } from './editor/typed-form.ts'
import type { EditorProps, Stored } from './editor-parts.ts'

type Question = 'none' | 'delete' | 'discard'

/** The editor of an object, in a sheet. Typed text is kept until it is stored or discarded. */
export function ObjectEditor<Item extends Stored, Body extends object, Form extends object>(
  props: EditorProps<Item, Body, Form>,
) {
  const { layout = 'sheet', id, titles, deleteHint, scope, store, parts = [], tools, toCopy, onClose } = props
  const { toForm } = props.form
  const { object: texts, action, shell } = t()
  const typed = useTypedForm(toForm)
  const { row } = typed
  const errors = useFieldErrors()
  const question = useSignal<Question>('none')
  const current = useRef(parts)
  current.current = parts

  useEffect(() => {
    if (id === undefined) return
    store.retrieve(id).then(typed.show, (error) => {
      showError(error)
      onClose()
    })
  }, [id])
  const isChanged = () => typed.isChanged() || current.current.some((part) => part.isChanged())
  const leave = useLeaveGuard(isChanged, () => {
    question.value = 'discard'
  })
  useDraft('', typed, id === undefined || row.value !== undefined)
  const { isSaving, save, takeBackStored, remove, duplicate } = useEditorActions(props, typed, errors, isChanged)

  const isLoading = id !== undefined && !row.value
  const ask = (next: Question) => () => {
    question.value = next
  }
  const mayWrite = hasScope(scope)
  const Frame = layout === 'page' ? Page : Dialog
  return (
    <Frame
      kind="sheet"
      title={id === undefined ? titles.create : titles.edit}
      onClose={onClose}
      footer={
        mayWrite ? (
          <EditorFooter
            isBusy={isSaving || isLoading}
            onDelete={row.value && id !== undefined ? ask('delete') : undefined}
            onDuplicate={toCopy && duplicate}
            onCancel={onClose}
          >
            {tools}
          </EditorFooter>
        ) : (
          tools
        )
      }
    >
      {isLoading ? (
        <p class="empty">{shell.loading}</p>
      ) : (
        <form
          id="object"
          ref={errors.form}
          class="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <fieldset class="plain" disabled={!mayWrite}>
            {props.children(typed.edit({ errorOf: errors.errorOf, clearErrors: errors.clear }), row.value, (next) =>
              adopt(typed, next, toForm(next.item)),
            )}
          </fieldset>
        </form>
      )}
      {question.value === 'delete' && row.value && (
        <Confirm
          title={texts.confirmDelete(store.titleOf(row.value.item))}
          text={deleteHint}
          confirm={action.delete}
          onConfirm={() => {
            question.value = 'none'
            remove()
          }}
          onCancel={ask('none')}
        />
      )}
      {question.value === 'discard' && (
        <DiscardQuestion
          onDiscard={() => {
            question.value = 'none'
            void takeBackStored().then(leave)
          }}
          onCancel={ask('none')}
        />
      )}
    </Frame>
  )
}
