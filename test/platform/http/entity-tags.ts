export const form = /^"\d+-(?:\d+\.)?[0-9A-Z]{6,11}"$/
export const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? ''
export const versionOf = (etag: string) => Number(/\d+/.exec(etag)?.[0])
/** The same object in another state than it is in. */
export const other = (etag: string) => etag.replace(/\d+/, (version) => `${Number(version) + 1}`)
