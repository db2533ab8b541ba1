import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

interface RowWindowProps {
  name: string
  /** Number of loaded rows. */
  count: number
  /** Whether more rows exist than are loaded. */
  isPartial: boolean
  /** Height of every row in `rem`, in a narrow and in a wide list. */
  rowRem: { narrow: number; wide: number }
  head?: ComponentChildren
  keyOf: (index: number) => string
  renderRow: (index: number) => ComponentChildren
  /** Called when the end of the loaded rows is near. */
  onNearEnd: () => void
}

/** Number of rows that are drawn above and below the visible ones. */
const overscan = 12
/** Number of rows before the end at which more rows are loaded. */
const nearEnd = 60

/** Width of a list in `rem` below which it is narrow. Its style sheet has the same. */
const narrowRem = 30

const remPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * A table that draws only the rows in view, so that it stays fast with thousands of rows. The focused row is always drawn, so that scrolling never
 * loses the focus.
 */
export function RowWindow(props: RowWindowProps): JSX.Element {
  const { name, count, isPartial, head, keyOf, renderRow, onNearEnd } = props
  const list = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const isNarrow = useSignal(true)
  const rowRem = isNarrow.value ? props.rowRem.narrow : props.rowRem.wide
  const view = useSignal({ first: 0, last: 40 })
  const focused = useSignal<number | undefined>(undefined)

  const measure = () => {
    const { current } = body
    if (!current || !list.current) return
    isNarrow.value = list.current.clientWidth < narrowRem * remPixels()
    const height = rowRem * remPixels()
    const top = -current.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(top / height) - overscan)
    const last = Math.ceil((top + innerHeight) / height) + overscan
    if (view.value.first !== first || view.value.last !== last) view.value = { first, last }
    if (isPartial && last > count - nearEnd) onNearEnd()
  }
  useEffect(() => {
    let frame = 0
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(measure)
    }
    addEventListener('scroll', schedule, { passive: true })
    addEventListener('resize', schedule, { passive: true })
    const observer = new ResizeObserver(schedule)
    if (list.current) observer.observe(list.current)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', schedule)
      removeEventListener('resize', schedule)
      observer.disconnect()
    }
  })
  useLayoutEffect(measure, [count, isPartial, rowRem])

  const { first, last } = view.value
  const indices = Array.from({ length: Math.max(0, Math.min(last, count) - first) }, (_, index) => first + index)
  const pinned = focused.value
  if (pinned !== undefined && pinned < count && !indices.includes(pinned)) {
    indices.push(pinned)
    indices.sort((a, b) => a - b)
  }
  const parts: JSX.Element[] = []
  const addGap = (rows: number, key: string) => {
    if (rows > 0)
      parts.push(
        // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: only keeps the place of rows that are not drawn
        <tr key={key} class="gap" role="none">
          <td role="none" style={{ height: `${rows * rowRem}rem` }} />
        </tr>,
      )
  }
  let next = 0
  for (const index of indices) {
    addGap(index - next, `gap-${next === 0 ? 'start' : next}`)
    parts.push(
      <tr key={keyOf(index)} aria-rowindex={index + 2} onFocusCapture={() => (focused.value = index)}>
        {renderRow(index)}
      </tr>,
    )
    next = index + 1
  }
  addGap(count - next, 'gap-end')
  return (
    <div class="list" ref={list} style={{ '--row': `${rowRem}rem` }}>
      <table class="rows" aria-label={name} aria-rowcount={isPartial ? -1 : count + 1}>
        {head && (
          <thead>
            <tr aria-rowindex={1}>{head}</tr>
          </thead>
        )}
        <tbody
          ref={body}
          onFocusOut={(event) => {
            if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
              focused.value = undefined
          }}
        >
          {parts}
        </tbody>
      </table>
    </div>
  )
}
