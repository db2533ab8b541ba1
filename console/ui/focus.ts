/** Moves the focus to the open dialog or the screen, if nothing has it. */
function recoverFocus(): void {
  if (document.activeElement !== document.body) return
  const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]')
  const place = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

/** Keeps the focus in the dialog or the screen when the element that has it leaves the document. Returns a function that ends this. */
export function keepFocus(): () => void {
  let last: EventTarget | null = null
  const note = ({ target }: FocusEvent) => {
    last = target
  }
  const observer = new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return
    last = null
    // After the effects of what is drawn instead, which may know a closer place.
    requestAnimationFrame(() => setTimeout(recoverFocus))
  })
  document.addEventListener('focusin', note)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', note)
    observer.disconnect()
  }
}
