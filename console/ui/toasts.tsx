import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { t } from '../app/language.ts'
import { describeError } from '../app/problems.ts'
import { Icon } from './icons.tsx'
import { Sentence } from './sentence.tsx'

interface Toast {
  id: number
  kind: 'status' | 'alert'
  text: string
  undo?: (() => void) | undefined
}

/** How long a message is shown, in milliseconds. A message with an action stays longer. A failure stays until it is dismissed. */
const shownMs = { plain: 5_000, undo: 10_000 }
const maxToasts = 3
const toasts = signal<readonly Toast[]>([])
let lastId = 0

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

function add(toast: Omit<Toast, 'id'>) {
  const id = ++lastId
  // A success replaces all messages: only one action can be undone, and earlier failures are resolved. A failure replaces a success, so that no
  // success stands beside it. A repeated failure is shown once.
  const others =
    toast.kind === 'status' ? [] : toasts.value.filter(({ kind, text }) => kind === 'alert' && text !== toast.text)
  toasts.value = [...others, { ...toast, id }].slice(-maxToasts)
}

/** Dismisses failures before another attempt. */
export const clearAlerts = () => {
  toasts.value = toasts.value.filter(({ kind }) => kind !== 'alert')
}
/** Reports a completed action, and offers to undo it. */
export const showStatus = (text: string, undo?: () => void) => add({ kind: 'status', text, undo })
/** Reports a failure. An action of which a part is done says both in one message, and can be undone. */
export const showAlert = (text: string, undo?: () => void) => add({ kind: 'alert', text, undo })
/** Reports why a request failed. */
export const showError = (error: unknown) => showAlert(describeError(error))

function ToastItem({ id, kind, text, undo }: Toast) {
  useEffect(() => {
    if (kind === 'alert') return
    const timer = setTimeout(() => dismiss(id), undo ? shownMs.undo : shownMs.plain)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div class={`toast ${kind}`}>
      <span>
        <Sentence text={text} />
      </span>
      {undo && (
        <button
          type="button"
          class="link"
          onClick={() => {
            dismiss(id)
            undo()
          }}
        >
          {t().action.undo}
        </button>
      )}
      <button type="button" class="quiet square" aria-label={t().action.dismiss} onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  )
}

/** Containers for messages: the page, and the open dialogs. All except the last one are inert. */
const places = signal<readonly symbol[]>([])

/** The messages. Both regions are always in the document, so that assistive technology announces new messages. */
export function Toasts() {
  const place = useMemo(() => Symbol(), [])
  useLayoutEffect(() => {
    places.value = [...places.value, place]
    return () => {
      places.value = places.value.filter((each) => each !== place)
    }
  }, [])
  const list = places.value.at(-1) === place ? toasts.value : []
  const shown = (kind: Toast['kind']) => list.filter((toast) => toast.kind === kind)
  return (
    <div class="toasts">
      <div role="status">
        {shown('status').map((toast) => (
          <ToastItem key={toast.id} {...toast} />
        ))}
      </div>
      <div role="alert">
        {shown('alert').map((toast) => (
          <ToastItem key={toast.id} {...toast} />
        ))}
      </div>
    </div>
  )
}
