import type { Bindings } from '../env.ts'
import { hasBlanks } from './web-address.ts'

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Host names of private networks, reserved names (RFC 2606, 6761, 6762, 8375, 9476) and cloud metadata. */
const privateName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|test|invalid|example|onion|alt)$/
const loopbackName = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
/** Whether a host name is that of the machine itself. */
export const isLoopback = (hostname: string) => loopbackName.test(hostname)

/** Variables of a server that judges private addresses when it connects: their ranges, and its own port if they contain loopback addresses. */
export type EndpointSettings = Pick<Bindings, 'ALLOW_PRIVATE_WEBHOOKS' | 'OWN_PORT'>

/** Settings of the check of a webhook's URL. */
interface EndpointRules {
  /** Allow `http` on loopback. */
  allowInsecureWebhooks: boolean
  endpoints?: EndpointSettings | undefined
  /** Hosts of this service, with ports. */
  ownHosts: readonly string[]
}

const isPrivateName = (name: string) => !name.includes('.') || privateName.test(name)

const toNumber = (address: string) => address.split('.').reduce((value, byte) => value * 256 + Number(byte), 0)

/** Whether an IPv4 address is in a range such as `192.168.1.0/24`. Code of all ranges is in `platform/auth/allowed-addresses.ts`, which loads later. */
function isInRange(range: string, address: string): boolean {
  const [first = '', bits = '32'] = range.split('/')
  const toBlock = (text: string) => Math.floor(toNumber(text) / 2 ** (32 - Number(bits)))
  return ipv4.test(first) && toBlock(first) === toBlock(address)
}

/** Whether webhooks may reach a host, as a private IPv4 address or a private name. The address of a name is judged at the connection. */
function isAllowedPrivate(settings: EndpointSettings | undefined, name: string, port: string): boolean {
  const { ALLOW_PRIVATE_WEBHOOKS: ranges, OWN_PORT: ownPort } = settings ?? {}
  if (!ranges) return false
  const isAddress = ipv4.test(name)
  if (name.startsWith('[')) return false
  if (ownPort !== undefined && port === ownPort && (!isAddress || isLoopback(name))) return false
  return isAddress ? ranges.split(',').some((range) => isInRange(range, name)) : isPrivateName(name)
}

/**
 * Returns why a webhook's URL is not allowed, or undefined. The URL is untrusted: it must not reach a private network or this service.
 * `new URL` normalizes all spellings of an IP address.
 */
export function getEndpointIssue(
  address: string,
  { allowInsecureWebhooks, endpoints, ownHosts }: EndpointRules,
): string | undefined {
  if (hasBlanks(address) || address.includes('\\')) return 'must not contain blanks, control characters or backslashes'
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) return 'must be an https address'
  const { protocol, username, password, host, hostname, port } = new URL(address)
  if (username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address)) return 'must not contain credentials'
  // Trailing dots name the same host. `new URL` keeps them, and does not recognize an IP address before two trailing dots.
  const name = hostname.replace(/\.+$/, '')
  // On loopback, each port is a different service. Elsewhere, the name identifies the service.
  const isLocal = isLoopback(hostname)
  const isOwn = ownHosts.some((own) => (isLocal ? own === host : own.replace(/:\d+$/, '') === name))
  if (isOwn) return 'must not be an address of this service'
  if (allowInsecureWebhooks && isLocal && protocol === 'http:') return undefined
  if (isAllowedPrivate(endpoints, name, port || (protocol === 'http:' ? '80' : '443'))) return undefined
  if (protocol !== 'https:') return 'must be an https address'
  if (ipv4.test(name) || name.startsWith('[')) return 'must use a host name, not an IP address'
  if (isPrivateName(name)) return 'must use a public host name'
  return undefined
}
