import { useRef } from 'preact/hooks'
import { t } from '../app/language.ts'
import { Icon } from './icons.tsx'

/** The list with an element moved from one position to another. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const moved = items.slice(from, from + 1)
  return to < 0 || to >= items.length ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, ...moved)
}

interface MoveButtonsProps {
  index: number
  count: number
  /** Names of the buttons. Default: names of an element in a group that has a name. */
  names?: { up: string; down: string; remove?: string }
  onMove: (from: number, to: number) => void
  /** Absent: elements cannot be removed. */
  onRemove?: () => void
}

/** The browser removes the focus from an element that is moved in the document. */
const keepFocus = (button: HTMLButtonElement) =>
  requestAnimationFrame(() => {
    const siblings = [...(button.parentElement?.querySelectorAll('button') ?? [])]
    const same = [...document.querySelectorAll('button')].find(
      ({ ariaLabel, disabled }) => ariaLabel === button.ariaLabel && !disabled,
    )
    const next = button.isConnected ? [button, ...siblings].find(({ disabled }) => !disabled) : same
    next?.focus()
  })

/** Buttons that move an element of a list by one position, or remove it. */
export function MoveButtons({ index, count, names, onMove, onRemove }: MoveButtonsProps) {
  const { action } = t()
  const { up, down, remove } = names ?? { up: action.moveUp, down: action.moveDown, remove: action.remove }
  return (
    <>
      <button
        type="button"
        class="quiet square"
        aria-label={up}
        disabled={index === 0}
        onClick={({ currentTarget }) => {
          onMove(index, index - 1)
          keepFocus(currentTarget)
        }}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="quiet square"
        aria-label={down}
        disabled={index === count - 1}
        onClick={({ currentTarget }) => {
          onMove(index, index + 1)
          keepFocus(currentTarget)
        }}
      >
        <Icon name="down" />
      </button>
      {onRemove && (
        <button type="button" class="quiet square" aria-label={remove} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </>
  )
}

/** Distance to the edge at which the area scrolls, and the step of the scroll, in pixels. */
const edge = { near: 48, step: 14 }

/**
 * Drags an element of a list. `onOver` gets the `data-drag` of the element below the pointer, and whether the pointer is in its lower
 * half. Elements of one list have the same `data-drag-group`.
 */
function startDrag(start: PointerEvent, group: string, onOver: (over: string, isAfter: boolean) => void) {
  if (start.button !== 0) return
  start.preventDefault()
  const handle = start.currentTarget
  const scrolled = handle instanceof Element ? handle.closest('.dialog-body') : null
  document.documentElement.classList.add('dragging')
  const move = ({ clientX, clientY }: PointerEvent) => {
    const area = scrolled?.getBoundingClientRect()
    if (area && clientY < area.top + edge.near) scrolled?.scrollBy(0, -edge.step)
    if (area && clientY > area.bottom - edge.near) scrolled?.scrollBy(0, edge.step)
    const over = document
      .elementFromPoint(clientX, clientY)
      ?.closest<HTMLElement>(`[data-drag-group="${CSS.escape(group)}"]`)
    if (!over) return
    const { top, height } = over.getBoundingClientRect()
    onOver(over.dataset['drag'] ?? '', clientY > top + height / 2)
  }
  const controller = new AbortController()
  const options = { signal: controller.signal }
  const end = () => {
    controller.abort()
    document.documentElement.classList.remove('dragging')
  }
  addEventListener('pointermove', move, options)
  addEventListener('pointerup', end, options)
  addEventListener('pointercancel', end, options)
}

/** The drag handle of an element of a list. The buttons do the same by keyboard. */
export function DragHandle({ group, onOver }: { group: string; onOver: (over: string, isAfter: boolean) => void }) {
  // The list is rendered again while the pointer moves.
  const latest = useRef(onOver)
  latest.current = onOver
  return (
    <span
      class="handle"
      aria-hidden="true"
      onPointerDown={(event) => startDrag(event, group, (over, isAfter) => latest.current(over, isAfter))}
    >
      <Icon name="handle" />
    </span>
  )
}

/** The position of an element that is dragged over another one: before it, or after it. */
export const getDropIndex = (from: number, over: number, isAfter: boolean) =>
  from < over ? (isAfter ? over : over - 1) : isAfter ? over + 1 : over
