const controls = 'a, button, input, select, textarea'

/** The control that stands where a removed one stood, in the next element of the same kind or in the previous one: rows, for example. */
function findNeighbour(control: Element, records: readonly MutationRecord[]): HTMLElement | undefined {
  for (const { removedNodes, nextSibling, previousSibling } of records) {
    const [row] = removedNodes
    if (!(row instanceof Element && row.contains(control))) continue
    const place = [...row.querySelectorAll(controls)].indexOf(control)
    for (const each of [nextSibling, previousSibling]) {
      if (!(each instanceof Element && each.localName === row.localName)) continue
      const others = each.querySelectorAll<HTMLElement>(controls)
      const found = others[place] ?? others[0]
      if (found) return found
    }
  }
  return undefined
}

/** Moves the focus to the row beside a removed one, otherwise to the open dialog or the screen, if nothing has it. */
function recoverFocus(neighbour: HTMLElement | undefined): void {
  if (document.activeElement !== document.body) return
  neighbour?.focus()
  if (document.activeElement !== document.body) return
  const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]')
  const place = [...dialogs].at(-1) ?? document.querySelector<HTMLElement>('main')
  place?.focus({ preventScroll: true })
}

/** From now on, keeps the focus in the list, the dialog or the screen when the focused element is removed. */
export function keepFocus(): void {
  let last: EventTarget | null = null
  document.addEventListener('focusin', ({ target }) => {
    last = target
  })
  new MutationObserver((records) => {
    if (!(last instanceof Element) || last.isConnected) return
    const neighbour = findNeighbour(last, records)
    last = null
    // Runs after the effects of the new elements, which may move the focus to a closer element.
    requestAnimationFrame(() => setTimeout(() => recoverFocus(neighbour)))
  }).observe(document.body, { childList: true, subtree: true })
}
