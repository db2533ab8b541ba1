import { ApiError } from '../errors.ts'

/** Addresses that share their first `prefix` bits, of 32 or of 128. */
interface AddressRange {
  value: bigint
  length: 32 | 128
  prefix: number
}

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4Form = new RegExp(`^${byte}(?:\\.${byte}){3}$`)

const joinGroups = (groups: readonly number[], bits: bigint) =>
  groups.reduce((value, group) => (value << bits) | BigInt(group), 0n)

/** The 16-bit groups of an IPv6 address. Undefined if the text is not one. */
function parseGroups(text: string): number[] | undefined {
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) return undefined
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)),
  )
  const known = [...(first ?? []), ...(last ?? [])]
  return tail === undefined ? known : [...(first ?? []), ...Array<number>(8 - known.length).fill(0), ...(last ?? [])]
}

/** Parses an address as a range of one. An IPv4 address that is written as an IPv6 one (`::ffff:192.0.2.1`) is an IPv4 address. */
function parseAddress(text: string): AddressRange | undefined {
  if (ipv4Form.test(text)) return { value: joinGroups(text.split('.').map(Number), 8n), length: 32, prefix: 32 }
  const groups = parseGroups(text)
  return groups && { value: joinGroups(groups, 16n), length: 128, prefix: 128 }
}

const mappedPrefix = 96
/** The range of IPv4 addresses that a range of IPv6 ones maps. Otherwise the range itself. */
const unmap = (range: AddressRange): AddressRange =>
  range.length === 128 && range.prefix >= mappedPrefix && range.value >> 32n === 0xffffn
    ? { value: range.value & 0xffff_ffffn, length: 32, prefix: range.prefix - mappedPrefix }
    : range

/** Parses a range in CIDR notation, or an address. Undefined if the text is neither. */
export function parseRange(text: string): AddressRange | undefined {
  const [, name = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(name)
  if (!address) return undefined
  const prefix = digits === undefined ? address.length : Number(digits)
  if (prefix > address.length || (digits !== undefined && String(prefix) !== digits)) return undefined
  const hostBits = BigInt(address.length - prefix)
  return unmap({ ...address, value: (address.value >> hostBits) << hostBits, prefix })
}

/** A range in CIDR notation, with its first address. */
export function formatRange({ value, length, prefix }: AddressRange): string {
  const bits = length === 32 ? 8n : 16n
  const groups = Array.from({ length: length === 32 ? 4 : 8 }, (_, index, count = BigInt(length) / bits) =>
    Number((value >> (bits * (count - 1n - BigInt(index)))) & ((1n << bits) - 1n)),
  )
  if (length === 32) return `${groups.join('.')}/${prefix}`
  const name = groups.map((group) => group.toString(16)).join(':')
  return `${new URL(`http://[${name}]`).hostname.slice(1, -1)}/${prefix}`
}

const contains = (outer: AddressRange, inner: AddressRange) => {
  const hostBits = BigInt(outer.length - outer.prefix)
  return (
    outer.length === inner.length && outer.prefix <= inner.prefix && outer.value >> hostBits === inner.value >> hostBits
  )
}

const parsed = new WeakMap<readonly string[], readonly AddressRange[]>()
function parseRanges(list: readonly string[]): readonly AddressRange[] {
  const known = parsed.get(list) ?? list.flatMap((text) => parseRange(text) ?? [])
  parsed.set(list, known)
  return known
}

/** Whether an address, or all addresses of a range, are in one of the ranges. */
export function isWithin(list: readonly string[], text: string): boolean {
  const range = parseRange(text)
  return range !== undefined && parseRanges(list).some((outer) => contains(outer, range))
}

/** Throws `address_not_allowed` if the address of a request is not in one of the ranges. An unknown address is in none. */
export function requireAddress(list: readonly string[], address: string | undefined): void {
  if (address === undefined || address.includes('/') || !isWithin(list, address))
    throw new ApiError('address_not_allowed', 'The key is not allowed from this address.')
}
