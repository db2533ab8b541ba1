/** Moves the focus to the open dialog or the screen after the element that had it has left the document. */
export function recoverFocus(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]')
    const place = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main')
    place?.focus({ preventScroll: true })
  })
}
