import { hasBlanks } from './web-address.ts'

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Names that lead into a private network or nowhere (RFC 2606, 6761, 6762, 8375, 9476), or to a cloud's metadata. */
const privateName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|test|invalid|example|onion|alt)$/
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** What decides whether a webhook may be sent to an address. */
export interface EndpointRules {
  /** Allows `http` on loopback. */
  allowInsecureWebhooks: boolean
  /** Hosts, with ports, of this service. */
  ownHosts: readonly string[]
}

/**
 * Why a webhook must not be sent to an address; undefined where it may. The address was written by a stranger: it must not lead
 * into a network that only we can reach, nor back to ourselves. `new URL` has already undone every spelling of an IP address.
 */
export function getEndpointIssue(
  address: string,
  { allowInsecureWebhooks, ownHosts }: EndpointRules,
): string | undefined {
  if (hasBlanks(address) || address.includes('\\')) return 'must not contain blanks, control characters or backslashes'
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return 'must be an https address'
  const { protocol, username, password, host, hostname } = new URL(address)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address)) return 'must not contain credentials'
  // Dots at the end name the same host; `new URL` keeps them, and with two of them takes an IP address for a name.
  const name = hostname.replace(/\.+$/, '')
  // On this machine another port is another service; anywhere else the name alone says whose it is.
  const isLocal = loopback.test(hostname)
  const isOwn = ownHosts.some((own) => (isLocal ? own === host : own.replace(/:\d+$/, '') === name))
  if (isOwn) return 'must not be an address of this service'
  if (allowInsecureWebhooks && isLocal && protocol === 'http:') return undefined
  if (protocol !== 'https:') return 'must be an https address'
  if (ipv4.test(name) || name.startsWith('[')) return 'must have a name as its host, not an IP address'
  if (!name.includes('.') || privateName.test(name)) return 'must have a public name as its host'
  return undefined
}
