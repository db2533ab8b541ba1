import { BlockList, isIP } from 'node:net'
import { ServerError } from './server-error.ts'

/** A set of IP addresses. */
export interface AddressSet {
  has(address: string): boolean
}

const bitsOf = { 4: 32, 6: 128 } as const

/** An IPv4 address that a socket shows as IPv6, such as `::ffff:192.0.2.1`, as IPv4. */
export const toPlainAddress = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Reads `address` or `address/bits`. Returns undefined for other texts. */
export function parseRange(text: string): { address: string; bits: number; version: 4 | 6 } | undefined {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  if (version !== 4 && version !== 6) return undefined
  const length = Number(bits ?? bitsOf[version])
  return length <= bitsOf[version] ? { address, bits: length, version } : undefined
}

/** Reads a list of addresses and ranges, separated by commas. Throws an error that names the variable. */
export function parseRanges(name: string, text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.flatMap((part) => {
    if (part === '') return []
    const range = parseRange(part)
    if (range) return [`${range.address}/${range.bits}`]
    throw new ServerError(`${name} contains an entry that is not an IP address or a range such as 192.168.1.0/24.`)
  })
}

/** The set of the addresses in ranges. */
export function createAddressSet(ranges: readonly string[]): AddressSet {
  const list = new BlockList()
  for (const text of ranges) {
    const range = parseRange(text)
    if (range) list.addSubnet(range.address, range.bits, `ipv${range.version}`)
  }
  return {
    has(address) {
      const plain = toPlainAddress(address)
      const version = isIP(plain)
      return (version === 4 || version === 6) && list.check(plain, `ipv${version}`)
    },
  }
}

/** Whether a range contains all addresses of another one. */
export function covers(outer: string, inner: string): boolean {
  const [a, b] = [parseRange(outer), parseRange(inner)]
  return a !== undefined && b !== undefined && a.bits <= b.bits && createAddressSet([outer]).has(b.address)
}

/** Whether two ranges have an address in common. */
export const overlap = (first: string, second: string) => covers(first, second) || covers(second, first)
