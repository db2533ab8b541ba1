/**
 * The script that searches the documentation, by `/`, Ctrl-K or ⌘K. It loads the index when the search first opens. Without it, the link of the
 * search leads to the list of guides.
 */
export const searchScript = `(() => {
const find = document.querySelector('.find')
if (!find || !('HTMLDialogElement' in window)) return
let sections, dialog, field, list, state, chosen = -1, shown = []
const fold = (text) => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
const load = async () => {
  const { default: pages } = await import('/docs/sections.js')
  sections = pages.flatMap(([address, page, parts]) => [
    { address, page: '', title: page, text: fold(page), rank: 0 },
    ...parts.map(([anchor, title, names]) => ({ address: address + '#' + anchor, page, title, text: fold(title), names: fold(names), more: fold(page), rank: 1 })),
  ])
}
const score = (section, words) => {
  let sum = section.rank
  for (const word of words) {
    const at = section.text.indexOf(word)
    if (at === 0) sum += section.text.length === word.length ? 0 : 2
    else if (at > 0) sum += /[^a-z0-9]/.test(section.text[at - 1]) ? 3 : 6
    else if (section.names?.split(' ').some((name) => name.startsWith(word))) sum += 8
    else if (section.more?.includes(word)) sum += 9
    else if (section.names?.includes(word)) sum += 10
    else return undefined
  }
  return sum
}
const choose = (index) => {
  list.children[chosen]?.removeAttribute('aria-selected')
  chosen = index
  const option = list.children[chosen]
  option?.setAttribute('aria-selected', 'true')
  option?.scrollIntoView({ block: 'nearest' })
  if (option) field.setAttribute('aria-activedescendant', option.id)
  else field.removeAttribute('aria-activedescendant')
}
const show = () => {
  const words = fold(field.value).split(/\\s+/).filter(Boolean)
  shown = !sections || words.length === 0 ? [] : sections.map((section) => [score(section, words), section]).filter(([sum]) => sum !== undefined).sort((a, b) => a[0] - b[0]).slice(0, 12).map(([, section]) => section)
  list.replaceChildren(...shown.map((section, index) => {
    const option = document.createElement('li')
    option.id = 'found-' + index
    option.setAttribute('role', 'option')
    option.append(section.title)
    if (section.page) option.append(Object.assign(document.createElement('small'), { textContent: section.page }))
    option.onclick = () => open(section)
    return option
  }))
  field.setAttribute('aria-expanded', shown.length > 0)
  chosen = -1
  choose(shown.length > 0 ? 0 : -1)
  state.textContent = words.length === 0 ? '' : !sections ? 'Loading' : shown.length === 0 ? 'Nothing found' : shown.length === 1 ? '1 result' : shown.length + ' results'
}
const open = ({ address }) => {
  dialog.close()
  location.href = address
}
const create = () => {
  dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search the documentation')
  dialog.innerHTML = '<input type="search" role="combobox" aria-label="Search the documentation" aria-controls="found" aria-autocomplete="list" aria-expanded="false" autocomplete="off" spellcheck="false" placeholder="Search"><p role="status"></p><ul id="found" role="listbox" aria-label="Results"></ul>'
  document.body.append(dialog)
  ;[field, state, list] = dialog.children
  field.oninput = show
  field.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) choose((chosen + step + shown.length) % shown.length)
    else if (event.key === 'Enter' && shown[chosen]) open(shown[chosen])
    // Otherwise the first press only empties the field.
    else if (event.key === 'Escape') dialog.close()
    else return
    event.preventDefault()
  }
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close() }
}
const start = () => {
  if (!dialog) create()
  if (!dialog.open) dialog.showModal()
  field.select()
  if (!sections) load().then(show, () => { location.href = find.href })
}
find.setAttribute('role', 'button')
find.onclick = (event) => {
  event.preventDefault()
  start()
}
addEventListener('keydown', (event) => {
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (!isShortcut && !isSlash) return
  event.preventDefault()
  start()
})
})()
`
