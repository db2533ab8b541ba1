/** Moves the focus to the open dialog or the screen, if nothing has it. */
function recoverFocus(): void {
  if (document.activeElement !== document.body) return
  const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]')
  const place = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

/** From now on, keeps the focus in the dialog or the screen when the element that has it leaves the document. */
export function keepFocus(): void {
  let last: EventTarget | null = null
  document.addEventListener('focusin', ({ target }) => {
    last = target
  })
  new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return
    last = null
    // After the effects of what is drawn instead, which may know a closer place.
    requestAnimationFrame(() => setTimeout(recoverFocus))
  }).observe(document.body, { childList: true, subtree: true })
}
