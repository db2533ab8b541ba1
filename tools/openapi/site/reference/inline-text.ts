import { html, raw } from 'hono/html'
import type { SiteHtml } from '../page-frame.ts'

/** Code in backticks, and links: the Markdown of descriptions. */
const marks = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g

/** A description as HTML, on one line. */
export function renderInline(text: string): SiteHtml {
  const parts: SiteHtml[] = []
  let end = 0
  for (const match of text.matchAll(marks)) {
    const [whole, code, label = '', href = ''] = match
    parts.push(html`${text.slice(end, match.index)}`)
    parts.push(code === undefined ? html`<a href="${href}">${label}</a>` : html`<code>${code}</code>`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

/** The id of a group of operations, as the interactive reference names it too. */
export const toGroupId = (name: string) => `tag/${name.toLowerCase().replace(/\W+/g, '-')}`

/** A link to a schema on the page. */
export const linkSchema = (name: string) => html`<a href="#${name}">${name}</a>`

/** Joins parts with a separator. */
export const joinHtml = (parts: readonly SiteHtml[], separator: string) =>
  parts.map((part, index) => html`${index === 0 ? '' : raw(separator)}${part}`)
