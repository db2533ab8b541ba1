import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutgoingWorker, outgoingName } from '../../../packages/server/src/runtime/outgoing.ts'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import { freePort } from '../../support/receiver.ts'
import { findServer } from '../shared-service.ts'

/** Calls that arrived at all addresses of this machine. */
const arrived: string[] = []
let port: number
let receiver: Server
beforeAll(async () => {
  port = await freePort()
  receiver = createServer((request, response) => {
    arrived.push(`${request.socket.localAddress} ${request.url}`)
    // A connection that stays open keeps the address that was judged when it was made.
    request.resume().on('end', () => response.setHeader('connection', 'close').end())
  })
  await new Promise<void>((resolve) => receiver.listen(port, resolve))
})
afterAll(() => receiver?.close())

describe('calls of the Worker', () => {
  const script = `export default {
    async fetch(request) {
      try {
        const { status } = await fetch(new URL(request.url).searchParams.get('url'), { signal: AbortSignal.timeout(20_000) })
        return new Response(String(status))
      } catch ({ message }) {
        return new Response(message)
      }
    },
  }`
  const internal = '127.77.1.2'
  /** Lines of the log of workerd about connections that it refused. */
  const refusals: string[] = []

  /** Calls addresses with ranges that are allowed. Returns the responses. */
  async function callAll(allowed: readonly string[], hosts: readonly string[]): Promise<string[]> {
    const options = { modules: true as const, script, compatibilityDate: '2026-10-01' }
    const platform = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        handleStructuredLogs: ({ message }) =>
          void refusals.push(...(/connecting to \S+ is not allowed/.exec(message) ?? [])),
        workers: [
          { ...options, name: 'caller', outboundService: outgoingName },
          createOutgoingWorker(allowed, internal, 'caller'),
        ],
      }),
    )
    const responses: string[] = []
    for (const host of hosts)
      responses.push(await (await platform.dispatchFetch(`http://caller/?url=http://${host}/`)).text())
    await platform.dispose()
    return responses
  }

  /** The first and the last address, or one inside, of each range that is not public. */
  const notPublic = [
    ...[
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.254',
    ],
    ...[
      '169.254.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.1',
    ],
    ...[
      '192.168.255.255',
      '198.18.0.0',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.255',
    ],
    ...['240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]'],
    ...[
      '[::ffff:169.254.169.254]',
      '[::ffff:8.8.8.8]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b::808:808]',
      '[64:ff9b:1::1]',
      '[100::1]',
    ],
    ...[
      '[2001::1]',
      '[2001:db8::1]',
      '[2002:7f00:1::]',
      '[fc00::1]',
      '[fdff:ffff::1]',
      '[fe80::1]',
      '[febf::1]',
      '[fec0::1]',
      '[ff02::1]',
    ],
    'localhost',
  ]

  test('connect to no address that is not public', async () => {
    const responses = await callAll(
      [],
      notPublic.map((host) => `${host}:${port}`),
    )
    const refused = 'cannot connect: nothing responds there, or it is no public address'
    expect(responses).toEqual(notPublic.map(() => refused))
    expect(refusals).toHaveLength(notPublic.length)
    expect(arrived).toEqual([])
  })

  test('connect to private addresses that are allowed, but not to the one of workerd', async () => {
    refusals.length = 0
    const hosts = ['127.0.0.1', 'localhost', internal, '0.0.0.0', '169.254.169.254', '10.0.0.1'].map(
      (host) => `${host}:${port}`,
    )
    const responses = await callAll(['127.0.0.0/8', '::1/128'], hosts)
    expect(responses.slice(0, 2)).toEqual(['200', '200'])
    expect(refusals).toHaveLength(4)
    expect(arrived.splice(0)).toHaveLength(2)
  })
})

describe('webhooks of the server', () => {
  const hostsFile = '/etc/hosts'
  const name = `till-${process.pid}.lan`
  let hosts: string
  let server: OwnServer
  beforeAll(async () => {
    hosts = await readFile(hostsFile, 'utf8')
    server = await createOwnServer(await findServer(), { ALLOW_PRIVATE_WEBHOOKS: '127.5.0.0/16' })
    await server.start()
  })
  afterAll(async () => {
    await writeFile(hostsFile, hosts)
    await server?.close()
  })
  /** Changes what the name resolves to. */
  const resolveTo = (address: string) => writeFile(hostsFile, `${hosts.trimEnd()}\n${address} ${name}\n`)

  /** A merchant with a webhook to the name. Returns its requests, and the path of the deliveries. */
  async function createTill() {
    const { id, key } = await server.createAccount()
    const request = (method: string, path: string, body?: unknown) =>
      server.call(method, `/merchants/${id}${path}`, key, body)
    const url = `http://${name}:${port}/in`
    const made = await request('POST', '/webhooks', { title: 'Till', url, events: ['product.created'] })
    expect(made.status).toBe(201)
    return { request, deliveries: `/webhooks/${made.body.id}/deliveries` }
  }

  test('have an address in an allowed range, or a private name at another port than the one of the server', async () => {
    const { request } = await createTill()
    for (const url of [
      `http://127.6.0.1/in`,
      'http://10.0.0.1/in',
      'http://hooks.example.com/in',
      `http://${name}:${server.port}/in`,
    ]) {
      const { status, body } = await request('POST', '/webhooks', { title: 'A', url, events: ['product.created'] })
      expect([url, status, body.errors[0].pointer]).toEqual([url, 422, '/url'])
    }
  })

  test('reach a private name while it resolves to an allowed address, judged at each call', async () => {
    await resolveTo('127.5.0.1')
    const { request, deliveries } = await createTill()
    await request('POST', '/products', { title: 'Tea', price: 2 })
    await expect.poll(() => arrived).toEqual([expect.stringMatching(/127\.5\.0\.1 \/in$/)])
    await resolveTo('127.6.0.1')
    await request('POST', '/products', { title: 'Coffee', price: 2 })
    const readErrors = async (path: string) =>
      (await request('GET', path)).body.flatMap(({ attempts }: { attempts: { error?: string }[] }) =>
        attempts.flatMap(({ error }) => error ?? []),
      )
    await expect.poll(() => readErrors(deliveries)).toEqual([expect.stringContaining('cannot connect')])
    expect(arrived).toHaveLength(1)
  })

  test.each(['127.6.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'do not reach %s by a name',
    async (address) => {
      await resolveTo(address)
      const before = arrived.length
      const { request, deliveries } = await createTill()
      await request('POST', '/products', { title: 'Tea', price: 2 })
      const readAttempts = async () => (await request('GET', deliveries)).body[0]?.attempts
      await expect.poll(readAttempts).toMatchObject([{ error: expect.stringContaining('cannot connect') }])
      expect(arrived).toHaveLength(before)
    },
  )
})
