import { signal } from '@preact/signals'

/** Width of the window in `rem` below which the console has the layout of a phone. Larger text therefore needs a wider window. */
const phoneRem = 44

const root = document.documentElement
const measure = () => innerWidth < phoneRem * Number.parseFloat(getComputedStyle(root).fontSize)
/** Whether the window is as narrow as a phone. Style sheets use the class `phone` of the document. */
export const isNarrow = signal(measure())

function update() {
  isNarrow.value = measure()
  root.classList.toggle('phone', isNarrow.value)
}
update()
// Also called when the size of text changes the height of the document.
new ResizeObserver(update).observe(root)
