import { signal } from '@preact/signals'

/**
 * Widths of the window in `rem` below which the console has the layout of a phone, and no room for a preview beside an editor. Larger text therefore
 * needs a wider window.
 */
const widths = { phone: 44, preview: 64 } as const

const root = document.documentElement
const isBelow = (rem: number) => innerWidth < rem * Number.parseFloat(getComputedStyle(root).fontSize)
/** Whether the window is as narrow as a phone. Style sheets use the class `phone` of the document. */
export const isNarrow = signal(isBelow(widths.phone))
/** Whether a preview covers the editor instead of standing beside it. */
export const coversEditor = signal(isBelow(widths.preview))

function update() {
  isNarrow.value = isBelow(widths.phone)
  coversEditor.value = isBelow(widths.preview)
  root.classList.toggle('phone', isNarrow.value)
}
update()
// Also called when the size of text changes the height of the document.
new ResizeObserver(update).observe(root)
