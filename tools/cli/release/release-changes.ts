/** Areas of the change log, with the beginnings of their entries. An entry without one of them is about the API. */
const areas: readonly (readonly [area: string, beginning: RegExp | undefined])[] = [
  ['API', undefined],
  ['Imports and exports', /^(?:Imports?|Exports?|Files|Catalogue files)\b|^`(?:GET|POST) …\/(?:imports|export)\b/],
  [
    'Console',
    /^(?:The )?console|^Sessions of the console|^A (?:session|sign-in|passkey|person)|^Passkeys?|^Invitations|^Members|^People/i,
  ],
  [
    'Pages for guests, tags and prints',
    /^(?:The )?(?:hosted )?menu\b|^(?:Hosted menu|Pages|Sheets|Prints|Guests|QR|Scans|Tags|A tag|Links to sheets|A table of allergens)/i,
  ],
  [
    'Client, command line and MCP server',
    /^(?:The )?(?:client|command line|MCP)\b|^Recipes|^`merchant-ordering|^`npm run load|^`examples/i,
  ],
  [
    'Operations',
    /^`(?:ADMIN_TOKEN|npm run|\/health)|^(?:`(?:GET|POST)`(?:,| and) )*`(?:GET|POST) \/admin|^(?:A|The) (?:server|recovery|restore|move|operator|documentation|document)\b|^(?:Alerts|Backups|Expired rows|Homes?|Log lines|Logs|Metrics|Moves|Operators?|Platform|Sessions of the operator|Support:)/,
  ],
]

interface Entry {
  kind: string
  text: string
}

/** Heading of the changes since the last release. The first change after a release adds it. */
export const unreleasedHeading = '## Unreleased'
/** Text of a version of a package that is released with the others, without a change of its own. */
const noChanges = '- No changes: released with the other packages.'

/** Splits a change log into the part before the unreleased changes, these changes, and the rest. */
function split(changes: string): [before: string, unreleased: string, rest: string] {
  const start = changes.indexOf(unreleasedHeading)
  if (start < 0) {
    const newest = changes.indexOf('\n## ')
    return newest < 0 ? [`${changes}\n`, '', ''] : [changes.slice(0, newest + 1), '', changes.slice(newest + 1)]
  }
  const next = changes.indexOf('\n## ', start)
  const end = next < 0 ? changes.length : next + 1
  return [changes.slice(0, start), changes.slice(start + unreleasedHeading.length, end), changes.slice(end)]
}

/** The entries of a section, with the kind of each: `Added`, `Changed`. */
function listEntries(section: string): Entry[] {
  const entries: Entry[] = []
  let kind = ''
  for (const line of section.split('\n')) {
    const [, named] = /^### (.*)$/.exec(line) ?? []
    const last = entries.at(-1)
    if (named !== undefined) kind = named
    else if (line.startsWith('- ')) entries.push({ kind, text: line })
    else if (last && line.trim() !== '') last.text += `\n${line}`
  }
  return entries
}

function areaOf({ text }: Entry): string {
  const beginning = text.slice(2).replace(/^\*\*/, '')
  return areas.find(([, pattern]) => pattern?.test(beginning))?.[0] ?? 'API'
}

const kinds = ['Added', 'Changed', 'Fixed'] as const
const breaking = /^- \*\*Breaking:\*\* /

/** Date of the newest version that breaks something. Undefined if no version does. */
export function findBreakingDate(changes: string): string | undefined {
  const versions = changes.split(/^## (?=\d)/m).slice(1)
  const section = versions.find((version) => version.split('\n').some((line) => breaking.test(line)))
  return /^\S+ \((\d{4}-\d{2}-\d{2})\)/.exec(section ?? '')?.[1]
}

/** Groups the unreleased changes: those that break something, security, then each area. Each entry appears once. */
function group(section: string): string {
  const entries = listEntries(section)
  const breaks = entries.filter(({ text }) => breaking.test(text))
  const security = entries.filter((entry) => entry.kind === 'Security' && !breaks.includes(entry))
  const others = entries.filter((entry) => !breaks.includes(entry) && !security.includes(entry))
  const list = (found: readonly Entry[]) => found.map(({ text }) => text).join('\n')
  const parts = [
    ...(breaks.length > 0 ? [`### What breaks\n\n${list(breaks)}`] : []),
    ...(security.length > 0 ? [`### Security\n\n${list(security)}`] : []),
  ]
  for (const [area] of areas) {
    const ofArea = others.filter((entry) => areaOf(entry) === area)
    const known = kinds.flatMap((kind) => {
      const found = ofArea.filter((entry) => entry.kind === kind)
      return found.length > 0 ? [`#### ${kind}\n\n${list(found)}`] : []
    })
    const rest = ofArea.filter((entry) => !kinds.some((kind) => kind === entry.kind))
    const texts = [...(rest.length > 0 ? [list(rest)] : []), ...known]
    if (texts.length > 0) parts.push(`### ${area}\n\n${texts.join('\n\n')}`)
  }
  return parts.join('\n\n')
}

/** A change log whose unreleased changes are those of a version, grouped by area unless it is that of a package. */
export function nameChanges(changes: string, title: string, { isGrouped }: { isGrouped: boolean }): string {
  const [before, unreleased, rest] = split(changes)
  const text = (isGrouped ? group(unreleased) : unreleased.trim()) || noChanges
  return `${before}## ${title}\n\n${text}\n${rest === '' ? '' : `\n${rest}`}`
}

/** Headings of a section, with the number of entries below each. */
export function countChanges(changes: string, title: string): { heading: string; entries: number }[] {
  const start = changes.indexOf(`## ${title}`)
  const next = changes.indexOf('\n## ', start)
  const section = changes.slice(start, next < 0 ? undefined : next)
  return section
    .split(/^### /m)
    .slice(1)
    .map((part) => ({ heading: part.split('\n')[0] ?? '', entries: part.match(/^- /gm)?.length ?? 0 }))
}
