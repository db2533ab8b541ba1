/** Headers that are part of a representation. */
const shownHeaders = ['content-type', 'external-id', 'link'] as const

const toDigest = async (bytes: BufferSource) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).toBase64()

/**
 * Returns a check that no address shows two representations with the same strong entity tag: a client that revalidates the first would
 * keep it. The check knows nothing of what representations contain.
 */
export function createTagCheck() {
  const digests = new Map<string, string>()
  return async (
    { method, url }: Pick<Request, 'method' | 'url'>,
    { status, headers }: Response,
    bytes: ArrayBuffer,
  ) => {
    const tag = headers.get('etag')
    if (method !== 'GET' || status !== 200 || tag === null || tag.startsWith('W/')) return
    const shown = new TextEncoder().encode(shownHeaders.map((name) => headers.get(name) ?? '').join('\n'))
    const digest = `${await toDigest(shown)} ${await toDigest(new Uint8Array(bytes))}`
    const key = `${url} ${tag}`
    const known = digests.get(key)
    if (known === undefined) digests.set(key, digest)
    else if (known !== digest) throw new Error(`two representations with one entity tag: ${key}`)
  }
}
