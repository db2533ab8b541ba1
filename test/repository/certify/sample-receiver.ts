import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** Errors that receivers have. */
export const faults = [
  'accepts every signature',
  'accepts a missing signature',
  'accepts what it cannot compare',
  'compares the beginning of signatures',
  'signs the id of the body',
  'ignores the timestamp',
  'accepts future timestamps',
  'judges the age by the event',
  'checks only the first signature',
  'compares the whole header',
  'rejects other schemes',
  'serializes the body again',
  'decodes the body as Latin-1',
  'applies duplicates',
  'remembers only the last id',
  'records ids after the effect',
  'records ids before the verification',
  'applies older versions',
  'forgets the versions of deleted objects',
  'updates only known objects',
  'rejects unknown deletions',
  'rejects unknown types',
  'applies unknown types',
  'rejects unknown fields',
  'rejects large bodies',
  'gives up on slow bodies',
  'redirects to a sign-in page',
  'fails on invalid deliveries',
  'answers before its effect is lost',
] as const
export type Fault = (typeof faults)[number]

const toleranceSeconds = 300
const maxSmallBytes = 102_400
const slowMs = 100
/** Time between the look-up of an id and its record. */
const raceMs = 25

class Rejection extends Error {}

interface Event {
  id: string
  type: string
  timestamp: string
  version: number
  data: { id: string; price: number; visible: boolean }
}

interface Options {
  /** Replaces the verification. */
  verifyBody?: (headers: IncomingMessage['headers'], body: Buffer) => Promise<boolean>
  onEffect?: (event: string, object: string, times: number, price: number | null) => void
}

/** A receiver that keeps products, with at most one fault, and shows them to a check. */
export async function startReceiver(secret: string, fault?: Fault, { verifyBody, onEffect }: Options = {}) {
  const has = (name: Fault) => fault === name
  const key = Buffer.from(secret.slice(6), 'base64')
  const known = new Set<string>()
  const effects = new Map<string, number>()
  const objects = new Map<string, { version: number; price: number | null }>()

  function isSigned(expected: string, header: string): boolean {
    if (has('accepts every signature')) return true
    if (header === '' && has('accepts a missing signature')) return true
    const given = has('compares the whole header') ? [header] : header.split(' ')
    if (has('rejects other schemes') && given.some((each) => !each.startsWith('v1,'))) return false
    return (has('checks only the first signature') ? given.slice(0, 1) : given).some((each) => {
      if (has('compares the beginning of signatures') && each.length > 5) return expected.startsWith(each)
      if (has('accepts what it cannot compare') && each.length !== expected.length && each.startsWith('v1,'))
        return true
      return each.length === expected.length && timingSafeEqual(Buffer.from(each), Buffer.from(expected))
    })
  }

  async function verify(headers: IncomingMessage['headers'], body: Buffer): Promise<Event> {
    if (verifyBody) {
      if (await verifyBody(headers, body)) return JSON.parse(body.toString())
      throw new Rejection()
    }
    const text = body.toString(has('decodes the body as Latin-1') ? 'latin1' : 'utf8')
    const event: Event = JSON.parse(text)
    const id = has('signs the id of the body') ? event.id : headers['webhook-id']
    if (has('records ids before the verification') && known.has(event.id)) return event
    if (has('records ids before the verification')) known.add(event.id)
    const timestamp = Number(headers['webhook-timestamp'])
    const sent = has('judges the age by the event') ? Date.parse(event.timestamp) / 1000 : timestamp
    const age = Date.now() / 1000 - sent
    const isRecent = age < toleranceSeconds && (age > -toleranceSeconds || has('accepts future timestamps'))
    if (!isRecent && !has('ignores the timestamp')) throw new Rejection()
    const signed = has('serializes the body again') ? JSON.stringify(event) : text
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${signed}`).digest('base64')}`
    if (!isSigned(expected, String(headers['webhook-signature'] ?? ''))) throw new Rejection()
    if (has('records ids before the verification')) known.delete(event.id)
    return event
  }

  async function apply({ id, type, version, data, ...rest }: Event): Promise<void> {
    const isDeleted = type === 'product.deleted'
    const isKnownType = isDeleted || type === 'product.created' || type === 'product.updated'
    if (!isKnownType && has('rejects unknown types')) throw new Rejection()
    if (!isKnownType && !has('applies unknown types')) return
    if ('addedLater' in rest && has('rejects unknown fields')) throw new Rejection()
    if (known.has(id) && !has('applies duplicates')) return
    if (has('remembers only the last id')) known.clear()
    if (has('records ids after the effect')) await setTimeout(raceMs)
    known.add(id)
    const object = objects.get(data.id)
    if (!object && isDeleted && has('rejects unknown deletions')) throw new Rejection()
    if (!object && type === 'product.updated' && has('updates only known objects')) return
    // The ids are what protects from duplicates, so that their faults show.
    if (object && version < object.version && !has('applies older versions')) return
    if (has('answers before its effect is lost') && version > 1) return
    if (isDeleted && has('forgets the versions of deleted objects')) objects.delete(data.id)
    else objects.set(data.id, { version, price: isDeleted ? null : data.price })
    const times = (effects.get(id) ?? 0) + 1
    effects.set(id, times)
    onEffect?.(id, data.id, times, isDeleted ? null : data.price)
  }

  async function read(request: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    const startMs = Date.now()
    for await (const chunk of request) chunks.push(chunk)
    if (has('gives up on slow bodies') && Date.now() - startMs > slowMs) throw new Rejection()
    const body = Buffer.concat(chunks)
    if (has('rejects large bodies') && body.length > maxSmallBytes) throw new Rejection()
    return body
  }

  const show = ({ event, object }: { event: string; object: string }) => ({
    times: effects.get(event) ?? 0,
    price: objects.get(object)?.price ?? null,
  })
  const state = { requests: 0, startsMs: [] as number[], bodies: [] as string[] }
  const server = createServer(async (request, response) => {
    state.requests++
    state.startsMs.push(Date.now())
    try {
      const body = await read(request)
      state.bodies.push(body.toString())
      if (request.url === '/check') return response.end(JSON.stringify(JSON.parse(body.toString()).map(show)))
      if (request.url !== '/hook') return response.writeHead(404).end()
      await apply(await verify(request.headers, body))
      response.writeHead(204).end()
    } catch (error) {
      if (!(error instanceof Rejection)) return response.writeHead(500).end(String(error))
      if (has('redirects to a sign-in page')) response.writeHead(302, { location: '/sign-in' }).end()
      else response.writeHead(has('fails on invalid deliveries') ? 500 : 400).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const origin = `http://127.0.0.1:${address.port}`
  return { origin, url: `${origin}/hook`, checkUrl: `${origin}/check`, state, show, close: () => server.close() }
}
