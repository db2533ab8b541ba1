import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { certify, type Report } from '../../../packages/cli/src/certify/certify.ts'
import { type Fault, faults, startReceiver } from './sample-receiver.ts'

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
/** No pauses between requests: a run takes a second instead of twenty. */
const fast = { windowMs: 0, partMs: 50, timeoutMs: 5_000, roundMs: 5 }
const certifyAt = (url: string, checkUrl: string) =>
  certify({ url, secret, check: { url: checkUrl } }, new AbortController().signal, undefined, fast)

async function run(fault?: Fault): Promise<Report & { bodies: readonly string[] }> {
  const receiver = await startReceiver(secret, fault)
  const report = await certifyAt(receiver.url, receiver.checkUrl)
  receiver.close()
  return { ...report, bodies: receiver.state.bodies }
}
const failedCases = ({ cases }: Report) => cases.flatMap(({ case: name, passed }) => (passed ? [] : [name]))

test('a correct receiver passes all cases within 40 requests, all of test mode', async () => {
  const { bodies, ...report } = await run()
  expect(failedCases(report)).toEqual([])
  expect(report.stopped).toBeUndefined()
  expect(report.cases).toHaveLength(24)
  expect(report.requests).toBeLessThanOrEqual(40)
  const events = bodies.map((body) => JSON.parse(body)).filter((body) => !Array.isArray(body))
  expect(events).toHaveLength(33)
  expect(events.every(({ testMode, data }) => testMode === true && data.testMode === true)).toBe(true)
  expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).toBe(262_144)
})

const invalid = [
  'forged',
  'unsigned',
  'cut signature',
  'altered body',
  'altered id',
  'old timestamp',
  'future timestamp',
]
/** The cases that find each fault, and no other case fails. */
const finders: Readonly<Record<Fault, readonly string[]>> = {
  'accepts every signature': ['forged', 'unsigned', 'cut signature', 'altered body', 'altered id'],
  'accepts a missing signature': ['unsigned'],
  'accepts what it cannot compare': ['cut signature'],
  'compares the beginning of signatures': ['cut signature'],
  'signs the id of the body': ['altered id'],
  'ignores the timestamp': ['old timestamp', 'future timestamp'],
  'accepts future timestamps': ['future timestamp'],
  'judges the age by the event': ['old timestamp', 'future timestamp', 'late'],
  'checks only the first signature': ['rotated secret, new first', 'other scheme'],
  'compares the whole header': ['rotated secret, new first', 'rotated secret, new last', 'other scheme'],
  'rejects other schemes': ['other scheme'],
  'serializes the body again': ['exact bytes'],
  'decodes the body as Latin-1': ['exact bytes'],
  'applies duplicates': ['duplicate', 'simultaneous duplicate', 'late duplicate'],
  'remembers only the last id': ['late duplicate'],
  'records ids after the effect': ['simultaneous duplicate'],
  'records ids before the verification': ['forged'],
  'applies older versions': ['out of order', 'after deletion'],
  'forgets the versions of deleted objects': ['after deletion'],
  'updates only known objects': ['out of order'],
  'rejects unknown deletions': ['unknown object deleted'],
  'rejects unknown types': ['unknown type'],
  'applies unknown types': ['unknown type'],
  'rejects unknown fields': ['unknown fields'],
  'rejects large bodies': ['256 KiB'],
  'gives up on slow bodies': ['slow'],
  'redirects to a sign-in page': invalid,
  'fails on invalid deliveries': invalid,
  'answers before its effect is lost': ['update', 'out of order', 'after deletion'],
}

test.each(faults)('a receiver is found that %s', async (fault) => {
  expect(failedCases(await run(fault))).toEqual(finders[fault])
})

test('a receiver that lies is found, whatever it says', async () => {
  const receiver = await startReceiver(secret, 'answers before its effect is lost')
  const asked = new Set<string>()
  const lies: Readonly<Record<string, (event: string) => object | null>> = {
    always: () => ({ times: 1, price: 4.5 }),
    never: () => null,
    // Nothing at first, and then what is probably expected.
    later: (event) => (asked.has(event) || !asked.add(event) ? { times: 1 } : { times: 0 }),
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const questions: { event: string }[] = JSON.parse(text)
    const lie = lies[(request.url ?? '').slice(1)] ?? (() => null)
    response.end(JSON.stringify(questions.map(({ event }) => lie(event))))
  }).listen(0)
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const certifyWith = (lie: string) => certifyAt(receiver.url, `http://127.0.0.1:${port}/${lie}`)
  expect(await certifyWith('always')).toMatchObject({
    stopped: 'The check shows an effect of an event before it is sent.',
    requests: 1,
  })
  expect(await certifyWith('never')).toMatchObject({
    stopped: 'The first valid delivery has no effect: nothing else was sent.',
    cases: [{ case: 'valid', passed: false }],
  })
  const later = await certifyWith('later')
  expect(failedCases(later)).toEqual(
    expect.arrayContaining(['unsigned', 'altered id', 'old timestamp', 'out of order']),
  )
  server.close()
  receiver.close()
})

test('a receiver with another secret, an error or no port stops the run after one delivery', async () => {
  const other = await startReceiver(`whsec_${Buffer.from('another secret of 24 byte').toString('base64')}`)
  const { stopped, cases } = await certifyAt(other.url, other.checkUrl)
  expect([stopped, cases[0]?.statuses]).toEqual([expect.stringContaining('nothing else was sent'), [400]])
  expect(other.state.bodies.filter((body) => body.startsWith('{'))).toHaveLength(1)
  const wrongPath = await certifyAt(`${other.origin}/wrong`, other.checkUrl)
  expect(wrongPath).toMatchObject({ failed: 1, cases: [{ statuses: [404] }] })
  await expect(certifyAt(other.url, `${other.origin}/wrong`)).rejects.toThrow('answered 404')
  other.close()
  const closed = await startReceiver(secret)
  closed.close()
  await expect(certifyAt(closed.url, closed.checkUrl)).rejects.toThrow('does not respond')
})

test('a receiver that answers 101 fails the delivery', async () => {
  const receiver = await startReceiver(secret)
  const server = createServer().listen(0)
  server.on('request', (_, response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { stopped, cases } = await certifyAt(`http://127.0.0.1:${port}/`, receiver.checkUrl)
  expect([stopped, cases[0]?.statuses]).toEqual([expect.stringContaining('nothing else was sent'), [101]])
  server.close()
  receiver.close()
})

test('at most two requests begin in a window', async () => {
  const receiver = await startReceiver(secret)
  const times = { ...fast, windowMs: 60 }
  const { signal } = new AbortController()
  await certify({ url: receiver.url, secret, check: { url: receiver.checkUrl } }, signal, undefined, times)
  receiver.close()
  const { startsMs } = receiver.state
  expect(startsMs.length).toBeGreaterThan(35)
  // A busy machine delays the arrival of a request by some milliseconds.
  const durationMs = (startsMs.at(-1) ?? 0) - (startsMs[0] ?? 0)
  expect(durationMs).toBeGreaterThan((times.windowMs * (startsMs.length - 2)) / 2 - 50)
})
