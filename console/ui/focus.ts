/** Moves the focus to the open dialog or the screen, if nothing has it. */
function recoverFocus(): void {
  if (document.activeElement !== document.body) return
  const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]')
  const place = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

/** From now on, keeps the focus in the dialog or the screen when the focused element is removed. */
export function keepFocus(): void {
  let last: EventTarget | null = null
  document.addEventListener('focusin', ({ target }) => {
    last = target
  })
  new MutationObserver(() => {
    if (!(last instanceof Node) || last.isConnected) return
    last = null
    // Runs after the effects of the new elements, which may move the focus to a closer element.
    requestAnimationFrame(() => setTimeout(recoverFocus))
  }).observe(document.body, { childList: true, subtree: true })
}
