import { signal } from '@preact/signals'

const narrow = matchMedia('(width < 700px)')
/** Whether the window is as narrow as a phone. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})
