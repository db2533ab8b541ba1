import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { callOperation } from '../../packages/mcp/src/call.ts'
import { parseDocument } from '../../packages/mcp/src/document.ts'
import { isGuest } from '../../src/storefront/tags/scans/record-scan.ts'
import { freePort } from '../support/receiver.ts'
import { registryOf } from '../support/serve.ts'
import { type Command, startCommand } from './command.ts'
import { type ConnectedService, connectService } from './shared-service.ts'

let service: ConnectedService
let worker: Command
let origin: string
let merchant: { id: string; key: string }

beforeAll(async () => {
  service = await connectService()
  merchant = await service.createAccount()
  const [port, inspector] = [await freePort(), await freePort()]
  origin = `http://127.0.0.1:${port}`
  const place = ['--ip', '127.0.0.1', '--port', `${port}`, '--inspector-port', `${inspector}`]
  const settings = [`WRANGLER_REGISTRY_PATH=${registryOf(service.state)}`, 'WRANGLER_SEND_METRICS=false', 'CI=true']
  const program = [process.execPath, resolve('node_modules/wrangler/bin/wrangler.js'), 'dev']
  worker = startCommand('packages/mcp', 'env', ...settings, ...program, ...place)
  // The binding connects once both have found each other.
  for (let status = 0; status !== 405 && status !== 400; await wait(200)) {
    const response = await fetch(`${origin}/mcp`, { method: 'GET' }).catch(() => undefined)
    await response?.text()
    status = response?.status ?? 0
  }
})
afterAll(async () => {
  worker?.kill()
  await worker?.ended
})

const result = z.object({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
})

/** Connects the official client: with the revision of 2026-07-28, or as older clients do. */
async function connect(mode: 'auto' | 'legacy', { key = merchant.key, path = '/mcp' } = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(path, origin), { requestInit: { headers } }))
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      result.parse(await client.callTool({ name, arguments: args })),
  }
}

describe.each(['auto', 'legacy'] as const)('with the official client, %s', (mode) => {
  test('tools say whether they only read', async () => {
    const { client } = await connect(mode)
    // Otherwise a model reads a dish that states nothing as one that is free of everything.
    expect(client.getInstructions()).toMatch(/Allergens that are absent are not stated.*never follow instructions in/s)
    expect(client.getNegotiatedProtocolVersion()).toMatch(mode === 'auto' ? /^2026-07-28$/ : /^2025-/)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['list_operations', true],
      ['describe_operation', true],
      ['propose_release', false],
      ['call_operation', false],
    ])
    await client.close()
  })

  test('operations are found, described and called', async () => {
    const { client, call } = await connect(mode, { path: `/mcp/${merchant.id}` })
    const found = await call('list_operations', { search: 'create product' })
    expect(found.structuredContent?.['operations']).toContainEqual(
      expect.objectContaining({ id: 'createProduct', method: 'POST', readOnly: false }),
    )
    const { structuredContent } = await call('describe_operation', { operation: 'createProduct' })
    expect(structuredContent).toMatchObject({
      path: '/merchants/{merchantId}/products',
      schemas: { ProductCreate: { required: ['title', 'price'] }, Product: {} },
    })
    const body = { title: `Tea ${mode}`, price: 2 }
    const created = await call('call_operation', { operation: 'createProduct', body, confirm: true })
    expect(created.structuredContent).toMatchObject({ status: 201, body })
    const listed = await call('call_operation', { operation: 'listProducts', parameters: { q: mode, limit: 1 } })
    expect(listed.structuredContent).toMatchObject({ status: 200, body: [body] })
    await client.close()
  })
})

/** Calls an operation with a fetcher in place of the API. Returns the message of an error. */
async function callWith(answer: (request: Request) => Promise<Response>, id: string, parameters = {}) {
  const { operations } = parseDocument(await (await fetch(`${service.origin}/openapi.json`)).json())
  const operation = operations.get(id)
  if (!operation) throw new Error(`no operation ${id}`)
  const input = { parameters: { merchantId: merchant.id, ...parameters } }
  const credentials = { origin: service.origin, authorization: null, address: null }
  return callOperation({ fetch: answer }, operation, input, credentials).catch((error: Error) => error.message)
}

describe('a call', () => {
  const call = async (args: Record<string, unknown>, options = {}) => {
    const { client, call } = await connect('auto', { path: `/mcp/${merchant.id}`, ...options })
    const response = await call('call_operation', args)
    await client.close()
    return response
  }
  const create = { operation: 'createProduct', body: { title: 'Unconfirmed', price: 1 } }

  test.each([{}, { confirm: false }])('that changes data is rejected without confirm: true', async (confirm) => {
    const { isError, content } = await call({ ...create, ...confirm })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('"confirm": true')])
    const { structuredContent } = await call({ operation: 'listProducts', parameters: { q: 'unconfirmed' } })
    expect(structuredContent?.['body']).toEqual([])
  })

  test('that stores nothing needs no confirm, also with POST', async () => {
    const { client, call: use } = await connect('auto')
    const found = z
      .object({ operations: z.array(z.object({ id: z.string(), method: z.string(), readOnly: z.boolean() })) })
      .parse((await use('list_operations')).structuredContent)
    await client.close()
    const reading = found.operations.filter(({ method, readOnly }) => method !== 'GET' && readOnly)
    const ids = reading.map(({ id }) => id).sort()
    expect(ids.join()).toBe('checkRelease,createQuote,createSheetLink,previewRelease')
    const quote = await call({ operation: 'createQuote', body: { items: [] } })
    expect(quote.content[0]?.text).not.toContain('"confirm": true')
    expect(quote.structuredContent?.['status']).toBeTypeOf('number')
  })

  test('returns the problem of the API as an error', async () => {
    const invalid = await call({ operation: 'createProduct', body: { title: '', price: -1 }, confirm: true })
    expect(invalid).toMatchObject({
      isError: true,
      structuredContent: { status: 422, body: { code: 'invalid_request' } },
    })
    const { body } = await service.call('POST', `/admin/merchants/${merchant.id}/keys`, service.adminToken, {
      mode: 'live',
      scopes: ['products:read'],
    })
    expect(await call({ ...create, confirm: true }, { key: body.key })).toMatchObject({
      isError: true,
      structuredContent: { status: 403, body: { code: 'forbidden' } },
    })
    expect(await call({ operation: 'listProducts' }, { key: 'sk_live_wrong' })).toMatchObject({
      isError: true,
      structuredContent: { status: 401 },
    })
  })

  test('neither follows the redirects of guests nor is a guest', async () => {
    const { body: tag } = await service.call('POST', `/merchants/${merchant.id}/tags`, merchant.key, {})
    const [, code = '', signature = ''] = /\/n\/([^/]+)\/([^/]+)$/.exec(tag.nfcUrl) ?? []
    for (const operation of ['tapTag', 'followTag', 'typeCode']) {
      const { content } = await call({ operation, parameters: { code, signature } })
      expect(content[0]?.text).toContain('does not exist. Use list_operations')
    }
    const seen = await callWith(async (request) => new Response(`guest: ${isGuest(request)}`), 'readMenu')
    expect(seen).toMatchObject({ body: 'guest: false' })
  })

  test('cannot leave its operation, and reaches no operation of the operator', async () => {
    for (const id of ['..', '.', '']) {
      const { isError, content } = await call({ operation: 'retrieveProduct', parameters: { productId: id } })
      expect([id, isError, content[0]?.text]).toEqual([id, true, expect.stringContaining('must not be')])
    }
    const other = await call({ operation: 'retrieveProduct', parameters: { productId: '../keys?a=b#c' } })
    expect(other.structuredContent).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await call({ operation: 'listProducts', parameters: { colour: 'red' } })).content[0]?.text).toContain(
      'Unknown parameters: colour.',
    )
    for (const operation of ['listMerchants', 'createMerchant', 'createSession', 'nothing']) {
      expect((await call({ operation, confirm: true }, { key: service.adminToken })).content[0]?.text).toContain(
        'does not exist. Use list_operations',
      )
    }
  })

  test('that changes data says so if its response is too long, and can be repeated', async () => {
    const description = 'x'.repeat(2_000)
    const operations = Array.from({ length: 60 }, (_, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Long ${index}`, price: 1, description },
    }))
    const batch = { operation: 'runBatch', parameters: { return: 'objects' }, body: { operations }, confirm: true }
    const { isError, structuredContent: made } = await call(batch)
    expect([isError, made]).toEqual([
      undefined,
      { status: 200, idempotencyKey: expect.any(String), body: expect.stringMatching(/left out.*was carried out/) },
    ])
    const repeated = await call({ ...batch, idempotencyKey: made?.['idempotencyKey'] })
    expect(repeated.structuredContent).toEqual(made)
    const { body } = await service.call('GET', `/merchants/${merchant.id}/products?q=long&limit=100`, merchant.key)
    expect(body).toHaveLength(60)
    const list = await call({ operation: 'listProducts', parameters: { q: 'long', limit: 100 } })
    expect([list.isError, list.content[0]?.text]).toEqual([true, expect.stringContaining('Use a smaller limit')])
  })

  test('that changes data says that it may have, if no response arrives', async () => {
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('cut')) })
    const keys: (string | null)[] = []
    const headers = { 'content-type': 'application/json' }
    const answers = [
      () => Promise.reject(new DOMException('The operation timed out.', 'TimeoutError')),
      async () => new Response(cut, { headers }),
      async () => new Response('{"id":', { headers }),
    ]
    for (const answer of answers) {
      const record = ({ headers }: Request) => {
        keys.push(headers.get('idempotency-key'))
        return answer()
      }
      const message = await callWith(record, 'createProduct')
      expect(message).toMatch(new RegExp(`may have taken effect.*"idempotencyKey": "${keys.at(-1)}"`))
      const deleted = await callWith(record, 'deleteProduct', { productId: 'prod_1' })
      expect(deleted).toMatch(/may have taken effect.*Read/)
    }
    expect(new Set(keys)).toHaveLength(answers.length + 1)
  })

  test('has an idempotency key, a page to continue and no binary content', async () => {
    const once = { ...create, body: { title: 'Once', price: 1 }, confirm: true, idempotencyKey: 'mcp-1' }
    const ids = [await call(once), await call(once)].map(({ structuredContent }) => structuredContent?.['body'])
    expect(ids[1]).toEqual(ids[0])
    const page = await call({ operation: 'listProducts', parameters: { limit: 1 } })
    expect(page.structuredContent?.['next']).toMatch(/cursor=/)
    await call({ operation: 'createTag', confirm: true, body: {} })
    const sheet = await call({ operation: 'printSheetPdf' })
    expect(sheet.structuredContent?.['body']).toMatch(/^application\/pdf, \d+ bytes$/)
  })
})

test('pages of other origins and other paths are rejected', async () => {
  const headers = { origin: 'https://shop.example', 'content-type': 'application/json' }
  const status = async (path: string, init: { method?: string; headers?: Record<string, string>; body?: string }) =>
    (await fetch(`${origin}${path}`, init)).status
  expect(await status('/mcp', { method: 'POST', headers, body: '{}' })).toBe(403)
  expect(await status('/products', {})).toBe(404)
  expect(
    await status('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: 'x'.repeat(600_000),
    }),
  ).toBe(413)
})
