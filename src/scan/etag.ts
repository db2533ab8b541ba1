import { encodeBase32 } from '../core/base32.ts'

const utf8 = new TextEncoder()

/** A strong entity tag of what a text stands for. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(text))
  return `"${encodeBase32(new Uint8Array(digest).subarray(0, 10))}"`
}

/** Whether the one who asks has kept what an entity tag stands for (RFC 9110, weak comparison). */
export const isKept = (etag: string, { headers }: Request) =>
  (headers.get('if-none-match') ?? '')
    .split(',')
    .some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === etag)
