import { html, raw } from 'hono/html'
import { Marked } from 'marked'
import { guideGroups } from './guide-groups.ts'
import { findLink, type Guide, renderSitePage } from './page-frame.ts'
import { renderRecipes, toRecipeName } from './recipe-pages.ts'

/** Files besides `docs/` that are guides, by their name on the site. */
export const otherGuides = { changelog: 'CHANGELOG.md', security: 'SECURITY.md' } as const

/** The id of a heading, as GitHub generates it. */
const toSlug = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|&#?[a-z0-9]+;|[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Addresses of the service that guides name in code. On the site they are links. */
const servicePages = new Set(['/docs', '/docs/try', '/docs/errors', '/openapi.json', '/event-types', '/llms.txt'])

/** The address on the site of a link in a guide. Undefined if its target is not served. */
function resolveLink(href: string, names: ReadonlySet<string>): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const other = Object.entries(otherGuides).find(([, file]) => path.endsWith(file))?.[0]
  const [, recipe] = /^(?:docs\/)?recipes\/(.+)$/.exec(path) ?? []
  const name = recipe ? toRecipeName(recipe) : (other ?? /^(?:docs\/)?([a-z0-9-]+)\.md$/.exec(path)?.[1] ?? '')
  return names.has(name) ? `/docs/guides/${name}${anchor === undefined ? '' : `#${anchor}`}` : undefined
}

function renderGuide(markdown: string, names: ReadonlySet<string>): Guide {
  let title = ''
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const content = this.parser.parseInline(tokens)
        if (depth > 1) return `<h${depth} id="${toSlug(content)}">${content}</h${depth}>\n`
        title = content
        return ''
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const address = resolveLink(href, names)
        return address === undefined ? content : `<a href="${address}">${content}</a>`
      },
      codespan: ({ text }) => servicePages.has(text) && `<a href="${text}"><code>${text}</code></a>`,
      image: ({ href, text }) => `<img src="/docs/guides/${href}" alt="${text}" loading="lazy">`,
    },
  })
  const content = marked
    .parse(markdown, { async: false })
    // Focusable, so that the keyboard can scroll content that is wider than the page.
    .replaceAll('<pre>', '<pre tabindex="0">')
    // An empty cell is not a heading.
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { title, content }
}

const frame = (title: string, content: ReturnType<typeof html>) =>
  renderSitePage(
    { title: `${title} – Merchant Ordering API`, description: `Guide to the Merchant Ordering API: ${title}.` },
    html`<header><a href="/">Merchant Ordering API</a> · <a href="/docs/guides">Guides</a>${findLink}<h1>${raw(title)}</h1></header>
<main class="guide">${content}</main>`,
  )

/**
 * The guides and recipes as pages, by file name, and their index. `sources` has the Markdown by the name of each guide, `recipes` the
 * programs by their path in `docs/recipes`.
 */
export async function renderGuides(
  sources: Readonly<Record<string, string>>,
  recipes: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const recipePages = await renderRecipes(recipes)
  const names = new Set([...Object.keys(sources), ...recipePages.keys()])
  const guides = new Map(Object.entries(sources).map(([name, markdown]) => [name, renderGuide(markdown, names)]))
  const grouped = new Set(Object.values(guideGroups).flat())
  const groups = [
    ...Object.entries(guideGroups),
    ['Contributors', [...guides.keys()].filter((name) => !grouped.has(name))] as const,
  ]
  const index = groups.map(
    ([audience, members]) => html`<h2>${audience}</h2>
<ul>${members.flatMap((name) => {
      const guide = guides.get(name)
      return guide ? [html`<li><a href="/docs/guides/${name}">${raw(guide.title)}</a></li>`] : []
    })}</ul>
`,
  )
  const pages = await Promise.all(
    Array.from([...guides, ...recipePages], async ([name, { title, content }]) => [
      `guide-${name}.html`,
      await frame(title, html`${raw(content)}`),
    ]),
  )
  return { 'guides.html': await frame('Guides', html`${index}`), ...Object.fromEntries(pages) }
}
