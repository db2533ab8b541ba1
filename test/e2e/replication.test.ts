import { createServer } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { replicationHint, reportReadReplication } from '../../tools/cli/replication.ts'

const account = { CLOUDFLARE_API_TOKEN: 'a-token', CLOUDFLARE_ACCOUNT_ID: 'an-account' }
let calls: string[] = []
let mode: string | undefined
let status = 200
/** The part of the platform's API that is used. */
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk
  })
  request.on('end', () => {
    calls.push([request.method, request.url, request.headers.authorization, body].join(' ').trim())
    if (request.method === 'PUT' && status === 200) ({ mode } = JSON.parse(body).read_replication)
    const read_replication = mode === undefined ? undefined : { mode }
    const result = [
      { name: 'orders-old', uuid: 'uuid-0' },
      { name: 'orders', uuid: 'uuid-1', read_replication },
    ]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ result }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const place = server.address()
const api = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`
afterAll(() => server.close())
beforeEach(() => {
  calls = []
  status = 200
})

const list = 'GET /accounts/an-account/d1/database?name=orders Bearer a-token'

describe('read replication', () => {
  test.each([undefined, 'disabled'])('with the mode %s is enabled by a deployment', async (before) => {
    mode = before
    expect(await reportReadReplication('orders', account, api)).toContain('was disabled and is now enabled')
    expect(calls).toEqual([
      list,
      'PUT /accounts/an-account/d1/database/uuid-1 Bearer a-token {"read_replication":{"mode":"auto"}}',
    ])
  })

  test('that is enabled is not changed', async () => {
    mode = 'auto'
    expect(await reportReadReplication('orders', account, api)).toBe(
      'Read replication of the database orders is enabled.',
    )
    expect(calls).toEqual([list])
  })

  test('is explained if credentials are missing or the API rejects them', async () => {
    for (const part of [{}, { CLOUDFLARE_API_TOKEN: 'x' }, { CLOUDFLARE_ACCOUNT_ID: 'x' }])
      expect(await reportReadReplication('orders', part, api)).toBe(replicationHint('orders'))
    expect(calls).toEqual([])
    status = 403
    const text = await reportReadReplication('orders', account, api)
    expect(text).toContain(replicationHint('orders'))
    expect(text).toContain('403')
    expect(text).not.toContain('a-token')
    status = 200
    expect(await reportReadReplication('missing', account, api)).toContain('has no database missing')
    expect(await reportReadReplication('orders', account, 'http://127.0.0.1:9')).toContain(replicationHint('orders'))
  })
})
