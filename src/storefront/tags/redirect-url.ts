import { getHost, listHosts } from '../../platform/lib/web-address.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'

const placeholderPattern = /\{(tag|code|merchant|metadata\.([^{}]{1,64}))\}/g

/**
 * The URL that a scan redirects to; undefined if the merchant has no URL for the tag's mode. Does not depend on the request. `own` is the address of
 * the tag. It has no effect if its host is not, or no longer, one of the merchant.
 */
export function getRedirectUrl(tag: TagRecord, venue: VenueRecord, own = tag.url): string | undefined {
  const target = own === undefined ? undefined : fill(own, tag)
  if (target !== undefined && listHosts(venue).includes(getHost(target) ?? '')) return target
  const template = tag.testMode ? venue.sandboxUrl : venue.orderingUrl
  return template === undefined ? undefined : fill(template, tag)
}

/** The URL with values in place of its placeholders. */
function fill(template: string, tag: TagRecord): string {
  const filled = template.replace(placeholderPattern, (_, name: string, key: string | undefined) =>
    encodeURIComponent(getPlaceholderValue(tag, key === undefined ? name : 'metadata', key)),
  )
  return toAscii(/\{(?:tag|code)\}/.test(template) ? filled : withQueryParams(filled, [['tag', tag.id]]))
}

/** Headers contain only ASCII. A URL in ASCII stays as the merchant wrote it. */
const toAscii = (url: string) => (/^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href)

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

/** Adds query parameters to a URL, before its fragment. Existing parameters keep their values. */
export function withQueryParams(url: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return url
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  const taken = new URLSearchParams(query)
  const added = parameters
    .filter(([name]) => !taken.has(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  if (added.length === 0) return url
  const joined = [...(query.length > 1 ? [query.slice(1)] : []), ...added].join('&')
  return `${path}?${joined}${fragment}`
}

/** Query parameters of a scan that the redirect passes on: campaign (`utm_…`) and language. */
export function getForwardedParams(query: string): [string, string][] {
  if (query === '') return []
  return [...new URLSearchParams(query)].filter(([name]) => name === 'lang' || /^utm_\w{1,32}$/.test(name)).slice(0, 10)
}
