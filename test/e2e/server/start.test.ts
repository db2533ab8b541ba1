import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSharedDatabase } from '../../drill/storage.ts'
import { createOwnServer, type OwnServer, ownToken, runServer } from '../../support/own-server.ts'
import { findServer } from '../shared-service.ts'

let program: string
let folder: string
let server: OwnServer
beforeAll(async () => {
  program = await findServer()
  folder = await mkdtemp(join(tmpdir(), 'own-'))
  server = await createOwnServer(program)
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const settings = { ADMIN_TOKEN: ownToken, PUBLIC_BASE_URL: 'https://menu.example.com' }
const readRuntimeId = async () => Number(await readFile(join(server.state, 'workerd.pid'), 'utf8'))
const isAlive = (id: number) =>
  readFile(`/proc/${id}/cmdline`, 'utf8').then(
    (command) => command !== '',
    () => false,
  )

describe('a setting that is missing or wrong is one sentence, and the server ends with 2', () => {
  const hint = 'Make one with: openssl rand -hex 32'
  test.each([
    ['ADMIN_TOKEN', undefined, `ADMIN_TOKEN is not set. ${hint}`],
    ['ADMIN_TOKEN', 'dev-admin-token', `ADMIN_TOKEN is that of an example. ${hint}`],
    ['ADMIN_TOKEN', 'CHANGE-ME-0123456789-abcdefghijk', `ADMIN_TOKEN is that of an example. ${hint}`],
    ['ADMIN_TOKEN', '0123456789abcdef0123456789abcde', `ADMIN_TOKEN has fewer than 128 bits. ${hint}`],
    ['ADMIN_TOKEN', 'f3Kd09sLqPz71mXw2Vb8Y', `ADMIN_TOKEN has fewer than 128 bits. ${hint}`],
    ['ADMIN_TOKEN', 'abababababababababababababababababab', `ADMIN_TOKEN has fewer than 128 bits. ${hint}`],
    ['ADMIN_TOKEN_NEXT', ownToken, 'ADMIN_TOKEN_NEXT must be another token than ADMIN_TOKEN.'],
    ['ADMIN_TOKEN_NEXT', 'short', `ADMIN_TOKEN_NEXT has fewer than 128 bits. ${hint}`],
    [
      'PUBLIC_BASE_URL',
      undefined,
      'PUBLIC_BASE_URL is not set. It is the address of the server for guests, such as https://menu.example.com.',
    ],
    ['PUBLIC_BASE_URL', 'menu.example.com', 'PUBLIC_BASE_URL must be an origin, such as https://menu.example.com.'],
    ['CONSOLE_ORIGIN', 'https://a.example/b', 'CONSOLE_ORIGIN must be an origin, such as https://menu.example.com.'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1/33',
      'TRUSTED_PROXIES contains an entry that is not an IP address or a range such as 192.168.1.0/24.',
    ],
    [
      'ALLOW_PRIVATE_WEBHOOKS',
      'till.lan',
      'ALLOW_PRIVATE_WEBHOOKS contains an entry that is not an IP address or a range such as 192.168.1.0/24.',
    ],
    [
      'ALLOW_PRIVATE_WEBHOOKS',
      '10.0.0.0/8,0.0.0.0/0',
      'ALLOW_PRIVATE_WEBHOOKS must not contain addresses of 169.254.0.0/16.',
    ],
    ['RATE_LIMITS', 'none', 'RATE_LIMITS must be on or off.'],
    ['PORT', '80800', 'The port must be a number from 1 to 65535.'],
  ])('%s=%s', async (name, value, sentence) => {
    const { [name]: _, ...others }: Record<string, string> = settings
    const variables = value === undefined ? others : { ...others, [name]: value }
    expect(await runServer(program, ['--data', join(folder, 'unused')], variables)).toEqual({
      code: 2,
      output: `${sentence}\n`,
    })
  })

  test('a flag that does not exist', async () => {
    const { code, output } = await runServer(program, ['--dta', 'data'], settings)
    expect({ code, output }).toEqual({ code: 2, output: "Unknown option '--dta'. --help lists all options.\n" })
  })

  test('a Node that is too old', async () => {
    const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.17.1'}})"
    const variables = { ...settings, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` }
    const { code, output } = await runServer(program, ['--version'], variables)
    expect({ code, output }).toEqual({
      code: 2,
      output: 'The server needs Node 22.18 or newer. This is Node 22.17.1.\n',
    })
  })

  test('data that cannot be written', async () => {
    const { code, output } = await runServer(program, ['--data', join(process.execPath, 'data')], settings)
    expect({ code, output }).toEqual({
      code: 2,
      output: expect.stringMatching(/^The folder .*\/data cannot be written: .*\.\n$/),
    })
  })
})

test('requests wait for the migrations, and data survives the end of the server', async () => {
  server.launch()
  const health = await (async () => {
    for (;;) {
      const response = await fetch(`${server.origin}/health`).catch(() => undefined)
      if (response)
        return { status: response.status, body: await response.json(), isReady: server.output().includes('Ready') }
      await wait(5)
    }
  })()
  expect(health).toMatchObject({ status: 200, body: { status: 'ok' } })
  const { id, key } = await server.createAccount()
  const created = await server.call('POST', `/merchants/${id}/products`, key, { title: 'Tea', price: 2 })
  expect(created.status).toBe(201)
  expect((await server.call('GET', `/admin/merchants/${id}`, ownToken)).body).toMatchObject({ home: 'object' })
  expect(await server.stop()).toBe(0)
  await server.start()
  const { body } = await server.call('GET', `/merchants/${id}/products`, key)
  expect(body).toMatchObject([{ title: 'Tea' }])
})

test('one server at a time uses the data, and one the port', async () => {
  const second = await runServer(program, ['--data', server.state, '--port', String(server.port + 1)], settings)
  expect(second).toEqual({
    code: 2,
    output: `The server with the process id ${server.pid()} uses the data in ${server.state}.\n`,
  })
  const flags = ['--data', join(folder, 'other'), '--port', String(server.port), '--host', '127.0.0.1']
  const other = await runServer(program, flags, settings)
  expect(other).toEqual({ code: 2, output: `The port ${server.port} of 127.0.0.1 is in use.\n` })
})

test('nobody reaches the paths that control the Worker', async () => {
  for (const path of [
    '/cdn-cgi/local/scheduled',
    '/a/../cdn-cgi/platform-proxy',
    '/%2e/cdn-cgi/x',
    '/a\\..\\cdn-cgi/x',
    '/CDN-CGI/x',
  ]) {
    const call = request({
      host: '127.0.0.1',
      port: server.port,
      path,
    })
    call.end()
    const [response] = await once(call, 'response')
    response.resume()
    expect([path, response.statusCode]).toEqual([path, 404])
  }
})

test.each(['stop', 'interrupt'] as const)('requests in progress end: %s', async (way) => {
  const { id, key } = await server.createAccount()
  const text = JSON.stringify({ title: 'Coffee', price: 3 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': text.length }
  const call = request({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: `/merchants/${id}/products`,
    headers,
  })
  call.write(text.slice(0, 5))
  await wait(100)
  const stopped = server[way]()
  await expect.poll(() => server.output()).toContain('Stopping')
  await expect(fetch(`${server.origin}/health`)).rejects.toThrow()
  call.end(text.slice(5))
  const [response] = await once(call, 'response')
  response.resume()
  expect([response.statusCode, response.headers.connection]).toEqual([201, 'close'])
  expect(await stopped).toBe(0)
  expect(server.output()).not.toContain('crashed')
  await server.start()
  expect((await server.call('GET', `/merchants/${id}/products`, key)).body).toMatchObject([{ title: 'Coffee' }])
})

test('workerd that dies starts again, and one whose server was killed does not go on', async () => {
  const { id, key } = await server.createAccount()
  await server.call('POST', `/merchants/${id}/products`, key, { title: 'Milk', price: 1 })
  const before = await readRuntimeId()
  process.kill(before, 'SIGKILL')
  expect((await server.call('GET', `/merchants/${id}/products`, key)).body).toMatchObject([{ title: 'Milk' }])
  const after = await readRuntimeId()
  expect(after).not.toBe(before)
  await server.killAlone()
  expect(await isAlive(after)).toBe(true)
  await server.start()
  expect(await isAlive(after)).toBe(false)
  expect((await server.call('GET', `/merchants/${id}/products`, key)).body).toMatchObject([{ title: 'Milk' }])
})

test('data of a newer release is refused unless the operator accepts it', async () => {
  await server.stop()
  const database = new DatabaseSync(await findSharedDatabase(server.state))
  database.exec(`insert into d1_migrations (name) values ('9999_later.sql')`)
  const flags = ['--data', server.state, '--port', String(server.port), '--host', '127.0.0.1']
  expect(await runServer(program, flags, settings)).toEqual({
    code: 2,
    output:
      'A newer release has written the data: it has the migration 9999_later.sql. Install that release, or read "Updates" in the guide.\n',
  })
  database.exec(`delete from d1_migrations where name = '9999_later.sql'`)
  database.close()
  await server.start()
  expect((await fetch(`${server.origin}/health`)).status).toBe(200)
})

describe('the address of a client', () => {
  /** Whether a key that is limited to an address is accepted. */
  async function isAccepted(allowed: string, headers: Record<string, string>): Promise<boolean> {
    const { id } = await server.createAccount()
    const made = await server.call('POST', `/admin/merchants/${id}/keys`, ownToken, {
      mode: 'live',
      allowedIps: [allowed],
    })
    expect(made.status).toBe(201)
    return (await server.call('GET', `/merchants/${id}/products`, made.body.key, undefined, headers)).status === 200
  }

  test('is that of the connection; headers do not change it', async () => {
    expect(await isAccepted('127.0.0.1', {})).toBe(true)
    const forged = { 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' }
    expect(await isAccepted('203.0.113.7', forged)).toBe(false)
    expect(await isAccepted('127.0.0.1', forged)).toBe(true)
  })

  test('is the last one that a trusted proxy has not added itself', async () => {
    const state = server.state
    await server.stop()
    server = await createOwnServer(program, { TRUSTED_PROXIES: '127.0.0.1,10.1.0.0/16' }, state)
    await server.start()
    const through = (list: string) => ({ 'x-forwarded-for': list, 'cf-connecting-ip': '198.51.100.1' })
    expect(await isAccepted('203.0.113.7', through('203.0.113.7'))).toBe(true)
    expect(await isAccepted('203.0.113.7', through('192.0.2.1, 203.0.113.7, 10.1.2.3'))).toBe(true)
    expect(await isAccepted('192.0.2.1', through('192.0.2.1, 203.0.113.7, 10.1.2.3'))).toBe(false)
    expect(await isAccepted('198.51.100.1', through('203.0.113.7'))).toBe(false)
  })
})
