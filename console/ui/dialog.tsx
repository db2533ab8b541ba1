import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../app/language.ts'
import { Icon } from './icons.tsx'
import { Sentence } from './sentence.tsx'
import { Toasts } from './toasts.tsx'

interface DialogProps {
  title: string
  /**
   * Called by Escape, by the close button, and by a click outside a sheet or a box without buttons, so that a slip loses no data. Without it only the
   * footer closes the dialog, for example one with a key that is shown once.
   */
  onClose?: (() => void) | undefined
  /** `sheet`: at the side, full height. `alert`: asks a question and needs an answer. */
  kind?: 'box' | 'sheet' | 'alert'
  children: ComponentChildren
  footer?: ComponentChildren
}

/** The open dialogs, topmost last. A dialog that was removed from the document stays until its effect ends. */
const shown: HTMLDialogElement[] = []

/**
 * Shows a dialog, and those above it, again if the browser closed it, for example through the Back gesture of a phone. The browser ignores
 * `preventDefault` of `cancel` without another user action since the last one (https://html.spec.whatwg.org/#close-watcher-infrastructure).
 */
function keepShown(dialog: HTMLDialogElement) {
  if (dialog.open || !shown.includes(dialog)) return
  for (const each of shown.slice(shown.indexOf(dialog))) {
    if (!each.isConnected) continue
    each.close()
    each.showModal()
  }
}

/** A modal dialog. The browser keeps the focus inside, and returns it to where it was. */
export function Dialog({ title, onClose, kind = 'box', children, footer }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  const titleId = useId()
  useEffect(() => {
    const { activeElement } = document
    const { current } = dialog
    if (current === null) return
    current.showModal()
    shown.push(current)
    // Runs before the browser closes it, or several dialogs together.
    const onKeyDown = (event: KeyboardEvent) => {
      const isOnTop = shown.findLast((each) => each.isConnected) === current
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !isOnTop) return
      event.preventDefault()
      close.current?.()
    }
    document.addEventListener('keydown', onKeyDown)
    // A box asks for input, so its first field gets the focus.
    if (kind === 'box')
      current.querySelector<HTMLElement>('input:not([type=radio], [type=checkbox]), textarea')?.focus()
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      shown.splice(shown.indexOf(current), 1)
      current.close()
      // The browser returns the focus only to an element that is still in the document.
      if (activeElement instanceof HTMLElement && activeElement.isConnected) activeElement.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      role={kind === 'alert' ? 'alertdialog' : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={(event) => keepShown(event.currentTarget)}
      onMouseDown={(event) => {
        if (event.target === dialog.current && (kind === 'sheet' || !footer)) onClose?.()
      }}
    >
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id={titleId}>
            <Sentence text={title} />
          </h2>
          {kind !== 'alert' && onClose && (
            <button type="button" class="quiet square" aria-label={t().action.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <div class="dialog-body">{children}</div>
        <div class="dialog-end">
          <Toasts />
          {footer && <footer class="dialog-foot">{footer}</footer>}
        </div>
      </div>
    </dialog>
  )
}

interface FormDialogProps {
  title: string
  /** The text of the button that submits the form. */
  submit: string
  /** Shows its errors itself. */
  onSubmit: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}

/** A dialog with a form. Only one submission runs at a time. A rejected field gets the focus. */
export function FormDialog({ title, submit, onSubmit, onClose, children }: FormDialogProps) {
  const isBusy = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const submitOnce = async (event: Event) => {
    event.preventDefault()
    // The form of an editor may contain the dialog.
    event.stopPropagation()
    if (isBusy.value) return
    isBusy.value = true
    try {
      await onSubmit()
    } finally {
      isBusy.value = false
    }
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="quiet" onClick={onClose}>
            {t().action.cancel}
          </button>
          <button type="submit" form={id} class="primary" aria-disabled={isBusy.value}>
            {submit}
          </button>
        </>
      }
    >
      <form id={id} ref={form} class="form" noValidate onSubmit={submitOnce}>
        {children}
      </form>
    </Dialog>
  )
}

/** Asks before an action that cannot be undone. */
export function Confirm(props: {
  title: string
  text: string
  confirm: string
  cancel?: string
  onConfirm: () => void
  onCancel: () => void
}) {
  return (
    <Dialog
      kind="alert"
      title={props.title}
      onClose={props.onCancel}
      footer={
        <>
          <button type="button" class="quiet" onClick={props.onCancel}>
            {props.cancel ?? t().action.cancel}
          </button>
          <button type="button" class="danger" onClick={props.onConfirm}>
            {props.confirm}
          </button>
        </>
      }
    >
      <p>{props.text}</p>
    </Dialog>
  )
}
