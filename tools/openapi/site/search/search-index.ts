/** Addresses of pages that the search finds, by the names of their files. */
const addresses: Readonly<Record<string, string>> = { 'reference.html': '/docs', 'errors.html': '/docs/errors' }

const toAddress = (file: string): string | undefined => {
  const guide = /^guide-(.+)\.html$/.exec(file)?.[1]
  return guide === undefined ? addresses[file] : `/docs/guides/${guide}`
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const toText = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()

/** Maximum number of names in code that a section is found by, and their maximum length. */
const maxNames = 30
const maxNameLength = 32

/** Names in code in a section that its title lacks: fields, headers, parameters. */
function listNames(section: string, title: string): string {
  const names = Array.from(section.matchAll(/<code>([^<]+)<\/code>/g), ([, code = '']) => toText(code)).filter(
    (name) => name.length <= maxNameLength && /^[\w-]{3,}$/.test(name) && !title.includes(name),
  )
  return [...new Set(names)].slice(0, maxNames).join(' ')
}

/** A section: its anchor, its title, and names in it. */
type Section = readonly [anchor: string, title: string, names: string]

/** Where a section begins. Operations of the reference are articles. Parts of schemas are found by their own titles. */
const heading =
  /<(?:h[23] id="([^"]+)">(.*?)<\/h[23]>|(?:article|section) id="([^"]+)"[^>]*>\s*<h[23]>(.*?)<\/h[23]>)/gs

function listSections(page: string): Section[] {
  const found = [...page.matchAll(heading)]
  return found.map((match, index) => {
    const [whole, anchor, title, otherAnchor = '', otherTitle = ''] = match
    const text = toText(title ?? otherTitle)
    const section = page.slice(match.index + whole.length, found[index + 1]?.index)
    return [anchor ?? otherAnchor, text, listNames(section, text)]
  })
}

/** The index of the documentation as a module: for each page its address, its title and its sections. */
export function renderSearchIndex(files: Readonly<Record<string, string | Uint8Array>>): string {
  const pages = Object.entries(files).flatMap(([file, content]) => {
    const address = toAddress(file)
    if (address === undefined || typeof content !== 'string') return []
    const title = toText(/<h1>(.*?)<\/h1>/s.exec(content)?.[1] ?? '')
    return [[address, title, listSections(content)] as const]
  })
  return `export default ${JSON.stringify(pages)}`
}
