/** For how long an answer is good, in seconds, at the edge and in a guest's browser together. Changes must show within 60. */
export const freshSeconds = 20

/** An answer, and until when it is good, in ms. */
export interface Perishable {
  response: Response
  untilMs: number
}

const aged = ({ response, untilMs }: Perishable, nowMs: number) => {
  const headers = new Headers(response.headers)
  headers.set('cache-control', `public, max-age=${Math.max(0, Math.floor((untilMs - nowMs) / 1000))}`)
  headers.delete('expires')
  return new Response(response.body, { status: response.status, headers })
}

const address = (key: readonly string[]) => `https://menu.invalid/${key.map(encodeURIComponent).join('/')}`

/**
 * An answer from the data centre's cache, else a new one, which is kept there as long as it is good. What is kept says when it
 * ends, so that a guest's browser does not add its own time to that. Only answers with status 200 are kept.
 */
export async function throughEdge(
  key: readonly string[],
  make: () => Promise<Perishable>,
  later: (work: Promise<unknown>) => void,
): Promise<Response> {
  const kept = await caches.default.match(address(key)).catch(() => undefined)
  const untilMs = Date.parse(kept?.headers.get('expires') ?? '')
  if (kept && untilMs > Date.now()) return aged({ response: kept, untilMs }, Date.now())
  const made = await make()
  if (made.response.status !== 200) return made.response
  const answer = aged(made, Date.now())
  const copy = answer.clone()
  copy.headers.set('expires', new Date(made.untilMs).toUTCString())
  if (made.untilMs - Date.now() >= 1000) later(caches.default.put(address(key), copy).catch(() => undefined))
  return answer
}

/** The same answer, for those who must see every change at once. */
export async function pastEdge(make: () => Promise<Perishable>): Promise<Response> {
  const made = await make()
  return made.response.status === 200 ? aged(made, Date.now()) : made.response
}
