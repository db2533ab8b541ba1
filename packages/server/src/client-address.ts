import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { type AddressSet, toPlainAddress } from './addresses.ts'

/** Where a request came from. */
export interface Client {
  address: string
  protocol: 'http' | 'https'
}

const split = (header: string | readonly string[] | undefined) =>
  [header ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())

/**
 * The client of a request: the other end of the connection, unless that is a trusted proxy. Then the last address of `X-Forwarded-For` that is
 * not a trusted proxy either.
 */
export function readClient(peer: string | undefined, headers: IncomingHttpHeaders, trusted: AddressSet): Client {
  let address = toPlainAddress(peer ?? '0.0.0.0')
  if (!trusted.has(address)) return { address, protocol: 'http' }
  const hops = split(headers['x-forwarded-for'])
  for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0 && trusted.has(address); hop = hops.pop())
    address = toPlainAddress(hop)
  const protocol = split(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http'
  return { address, protocol }
}
