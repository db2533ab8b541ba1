import type { Page } from 'playwright-core'

/** Height and width that a finger needs, in pixels, less one for parts of pixels. */
const finger = 43
/** Height that controls between others may have (WCAG 2.5.8), in pixels. */
const minimum = 24

/**
 * Script that lists the faults of the part of a page in the window: sideways scrolling, texts that lie over each other, leave the window or are
 * cut off without a sign, and controls that something covers. On phones also controls that react on less than 44 × 44 px: it asks
 * the page what lies at each pixel around the middle of a control, so that labels and invisible margins count. It knows no page by name.
 */
const script = `((isPhone, tight) => {
  const found = []
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways')
  const isShown = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !each.closest('.unseen, .skip, [inert]') && getComputedStyle(each).clipPath === 'none'
  const name = (each) => each.tagName.toLowerCase() + '.' + each.classList + ' "' + (each.ariaLabel || each.textContent || each.id).trim().slice(0, 30) + '"'
  const ancestorsOf = (each) => (each.parentElement ? [each.parentElement, ...ancestorsOf(each.parentElement)] : [])
  const layerOf = (each) => [each, ...ancestorsOf(each)].find((part) => /fixed|sticky|absolute/.test(getComputedStyle(part).position))
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (node.data.trim() === '' || parent.closest('option, script, style, svg') || !isShown(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const clips = []
    for (let part = parent; part && part !== root; part = part.parentElement) {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(part)
      if (overflowX !== 'visible' || overflowY !== 'visible')
        clips.push({ box: part.getBoundingClientRect(), isMarked: textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || /auto|scroll/.test(overflowX + overflowY) })
    }
    for (const { left, right, top, bottom } of range.getClientRects()) {
      if (right - left < 2 || bottom <= 0 || top >= innerHeight) continue
      const box = { left, right, top, bottom }
      for (const clip of clips) {
        box.left = Math.max(box.left, clip.box.left)
        box.right = Math.min(box.right, clip.box.right)
        box.top = Math.max(box.top, clip.box.top)
        box.bottom = Math.min(box.bottom, clip.box.bottom)
      }
      if (box.right <= box.left || box.bottom <= box.top) continue
      const isMarked = clips.some((clip) => clip.isMarked)
      if (!isMarked && (box.right < right - 2 || box.left > left + 2)) found.push('cut: ' + name(parent))
      if (!isMarked && (box.right > innerWidth + 1 || box.left < -1)) found.push('leaves the window: ' + name(parent))
      texts.push({ box, node, parent, layer: layerOf(parent) })
    }
  }
  for (const [index, a] of texts.entries())
    for (const b of texts.slice(index + 1)) {
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
      if (a.node !== b.node && a.layer === b.layer && width > 2 && height > 4) found.push('overlap: ' + name(a.parent) + ' | ' + name(b.parent))
    }
  const controls = root.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')
  const owns = (control, each) =>
    each && (control.contains(each) || [...(control.labels ?? [])].some((label) => label.contains(each)) || each.closest('label')?.control === control)
  for (const control of controls) {
    if (control.disabled || !isShown(control)) continue
    // The first line of a link counts: its box also contains what is beside its lines.
    const [box] = control.getClientRects()
    if (!box || box.width < 2) continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    // Parts that are scrolled out of sight, or nearly, are left out.
    const isAway = [root, ...ancestorsOf(control)].some((part) => {
      const { left, right, top, bottom } = part === document.body ? { left: 0, right: innerWidth, top: 0, bottom: innerHeight } : part.getBoundingClientRect()
      return getComputedStyle(part).overflowY !== 'visible' && (x < left || x > right || y < top + 22 || y > bottom - 22)
    })
    if (isAway || y < 44 || y > innerHeight - 44 || x < 0 || x > innerWidth) continue
    const middle = document.elementFromPoint(x, y)
    if (!owns(control, middle)) {
      if (layerOf(middle) === layerOf(control)) found.push('covered: ' + name(control))
      continue
    }
    // Links in sentences may be smaller (WCAG 2.5.5).
    const isInSentence = getComputedStyle(control).display === 'inline' && control.parentElement.textContent.trim() !== control.textContent.trim()
    if (!isPhone || isInSentence) continue
    const reach = (dx, dy) => {
      let pixels = 0
      let next = middle
      for (; pixels < 44 && owns(control, next); pixels++) next = document.elementFromPoint(x + dx * (pixels + 1), y + dy * (pixels + 1))
      // A bar that stays in sight covers a part of what is scrolled below it.
      return next && !owns(control, next) && layerOf(next) !== layerOf(control) && /fixed|sticky/.test(getComputedStyle(layerOf(next) ?? root).position) ? 44 : pixels - 1
    }
    const [width, height] = [reach(1, 0) + reach(-1, 0) + 1, reach(0, 1) + reach(0, -1) + 1]
    if (width < ${finger} || height < (tight && control.matches(tight) ? ${minimum} : ${finger})) found.push('target of ' + width + ' × ' + height + ' px: ' + name(control))
  }
  return [...new Set(found)]
})`

/**
 * Faults of the part of a page in the window. `isPhone`: controls must also be large enough for a finger. `tight` selects those that may be
 * lower.
 */
export const listPageFaults = (page: Page, isPhone: boolean, tight = ''): Promise<string[]> =>
  page.evaluate(`${script}(${isPhone}, ${JSON.stringify(tight)})`)
