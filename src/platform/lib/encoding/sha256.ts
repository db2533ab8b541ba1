/** SHA-256 in hex. The database stores only this hash of a key. */
export async function hashKey(key: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, '0'),
    '',
  )
}
