import type { TagRecord, VenueRecord } from './tag-record.ts'

const placeholderPattern = /\{(tag|code|merchant|metadata\.([^{}]{1,64}))\}/g

/** The address a scan leads to; undefined where the venue has none for the tag's mode. Nothing of a request is in it. */
export function getRedirectUrl(tag: TagRecord, venue: VenueRecord): string | undefined {
  const template = tag.testMode ? venue.sandboxUrl : venue.orderingUrl
  if (template === undefined) return undefined
  const filled = template.replace(placeholderPattern, (_, name: string, key: string | undefined) =>
    encodeURIComponent(getPlaceholderValue(tag, key === undefined ? name : 'metadata', key)),
  )
  return toAscii(/\{(?:tag|code)\}/.test(template) ? filled : withQueryParams(filled, [['tag', tag.id]]))
}

/** Headers hold ASCII only; an address that does already is left as the venue wrote it. */
const toAscii = (address: string) => (/^[\x21-\x7e]*$/.test(address) ? address : new URL(address).href)

function getPlaceholderValue(tag: TagRecord, name: string, key: string | undefined): string {
  switch (name) {
    case 'tag':
      return tag.id
    case 'code':
      return tag.code
    case 'merchant':
      return tag.merchantId
    default:
      return tag.shown.find(([shown]) => shown === key)?.[1] ?? ''
  }
}

/** An address with parameters before its fragment; those it has already win. */
export function withQueryParams(address: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return address
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? []
  const taken = new URLSearchParams(query)
  const added = parameters
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  if (added.length === 0) return address
  const joined = [...(query.length > 1 ? [query.slice(1)] : []), ...added].join('&')
  return `${path}?${joined}${fragment}`
}

/** What of a scan's own query is passed on: where it was advertised, and the guest's language. */
export function getForwardedParams(query: string): [string, string][] {
  if (query === '') return []
  return [...new URLSearchParams(query)].filter(([name]) => name === 'lang' || /^utm_\w{1,32}$/.test(name)).slice(0, 10)
}
