import { hasBlanks } from './web-address.ts'

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Host names of private networks, reserved names (RFC 2606, 6761, 6762, 8375, 9476) and cloud metadata. */
const privateName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|test|invalid|example|onion|alt)$/
const loopbackName = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Whether a host name is that of the machine itself. */
export const isLoopback = (hostname: string) => loopbackName.test(hostname)

/** Settings of the check of a webhook's URL. */
interface EndpointRules {
  /** Allow `http` on loopback. */
  allowInsecureWebhooks: boolean
  /** Hosts of this service, with ports. */
  ownHosts: readonly string[]
}

/**
 * Returns why a webhook's URL is not allowed, or undefined. The URL is untrusted: it must not reach a private network or this service.
 * `new URL` normalizes all spellings of an IP address.
 */
export function getEndpointIssue(
  address: string,
  { allowInsecureWebhooks, ownHosts }: EndpointRules,
): string | undefined {
  if (hasBlanks(address) || address.includes('\\')) return 'must not contain blanks, control characters or backslashes'
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return 'must be an https address'
  const { protocol, username, password, host, hostname } = new URL(address)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address)) return 'must not contain credentials'
  // Trailing dots name the same host. `new URL` keeps them, and does not recognize an IP address before two trailing dots.
  const name = hostname.replace(/\.+$/, '')
  // On loopback, each port is a different service. Elsewhere, the name identifies the service.
  const isLocal = isLoopback(hostname)
  const isOwn = ownHosts.some((own) => (isLocal ? own === host : own.replace(/:\d+$/, '') === name))
  if (isOwn) return 'must not be an address of this service'
  if (allowInsecureWebhooks && isLocal && protocol === 'http:') return undefined
  if (protocol !== 'https:') return 'must be an https address'
  if (ipv4.test(name) || name.startsWith('[')) return 'must use a host name, not an IP address'
  if (!name.includes('.') || privateName.test(name)) return 'must use a public host name'
  return undefined
}
