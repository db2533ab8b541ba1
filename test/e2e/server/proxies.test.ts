import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as callHttp } from 'node:http'
import { request as callHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import { freePort } from '../../support/receiver.ts'
import { findServer } from '../shared-service.ts'

const folder = resolve(import.meta.dirname, '../../..')
const nginx = '/usr/sbin/nginx'
/** Addresses of this machine: that of the proxy, which is trusted, and those of two clients. */
const [trusted, known, foreign] = ['127.0.0.1', '127.0.0.9', '127.0.0.8'] as const
const mebibyte = 2 ** 20
const chunkBytes = 256 * 1_024

let server: OwnServer
let venue: { id: string; key: string }
let temporary: string
const ends: (() => unknown)[] = []
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'proxies ü '))
  server = await createOwnServer(
    await findServer(),
    { TRUSTED_PROXIES: trusted, RATE_LIMITS: 'off' },
    join(temporary, 'data'),
  )
  await server.start()
  venue = await server.createAccount()
})
afterAll(async () => {
  for (const end of ends) end()
  await server?.close()
  await rm(temporary, { recursive: true, force: true })
})

function run(program: string, args: readonly string[], environment: Record<string, string> = {}): void {
  const { PATH = '' } = process.env
  const child = spawn(program, args, { env: { PATH, HOME: temporary, ...environment }, stdio: 'ignore' })
  ends.push(() => child.kill('SIGTERM'))
}

/** Starts nginx with the lines of the documentation. */
async function startNginx(): Promise<string> {
  const page = await readFile(join(folder, 'docs/run-it-yourself.md'), 'utf8')
  const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? []
  const port = await freePort()
  // nginx does not accept spaces in paths.
  const place = await mkdtemp(join(tmpdir(), 'nginx-'))
  ends.push(() => rm(place, { recursive: true, force: true }))
  const [certificate, key] = [join(place, 'site.pem'), join(place, 'site.key')]
  const subject = ['-subj', '/CN=menu.example.com', '-days', '1', '-nodes', '-newkey', 'rsa:2048']
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const site = block
    .replace('listen 443', `listen ${trusted}:${port}`)
    .replace('/etc/ssl/menu.example.com.pem', certificate)
    .replace('/etc/ssl/menu.example.com.key', key)
    .replace(':8080', `:${server.port}`)
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${place}/${name};`)
  const file = join(place, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${place}/pid; error_log ${place}/log; events {} http { access_log off; ${temp.join(' ')} ${site} }`,
  )
  run(nginx, ['-p', place, '-c', file])
  return `https://${trusted}:${port}`
}

/** Starts Caddy with the file of the package. */
async function startCaddy(): Promise<string> {
  const port = await freePort()
  const file = join(temporary, 'Caddyfile')
  const source = await readFile(join(folder, 'packages/server/deploy/Caddyfile'), 'utf8')
  await writeFile(file, `{\n\tadmin off\n}\n${source.replace('server:8080', `${trusted}:${server.port}`)}`)
  run('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { DOMAIN: `http://${trusted}:${port}` })
  return `http://${trusted}:${port}`
}

/** Sends a request from an address of this machine, its body in pieces with pauses between them. */
async function send(
  origin: string,
  path: string,
  { from = String(known), body = '', pauseMs = 0, headers = {}, key = venue.key } = {},
): Promise<{ status: number; type: string; text: string }> {
  const call = origin.startsWith('https:') ? callHttps : callHttp
  const request = call(`${origin}/merchants/${venue.id}${path}`, {
    method: body === '' ? 'GET' : 'POST',
    localAddress: from,
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  const answered = new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', async (response) => {
      const text = String(await buffer(response))
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text })
    })
  })
  for (let start = 0; start < body.length; start += chunkBytes) {
    request.write(body.slice(start, start + chunkBytes))
    if (pauseMs > 0) await wait(pauseMs)
  }
  request.end()
  return answered
}

const jsonl = { 'content-type': 'application/jsonl' }
const toLines = (bytes: number) => {
  const line = JSON.stringify({ title: 'Tea', price: 1, description: 'x'.repeat(900) })
  return `${line}\n`.repeat(Math.floor(bytes / (line.length + 1)))
}

describe.each([
  ['nginx', startNginx, existsSync(nginx)],
  ['Caddy', startCaddy, true],
] as const)('behind %s', (_, start, isInstalled) => {
  test.runIf(isInstalled)('bodies, responses and addresses arrive', { timeout: 120_000 }, async () => {
    const origin = await start()
    const reach = () =>
      send(origin, '/products').then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(reach, { timeout: 20_000 }).toBe(200)

    const large = await send(origin, '/imports?resource=products', {
      body: toLines(9.5 * mebibyte),
      headers: jsonl,
      pauseMs: 50,
    })
    expect([large.status, JSON.parse(large.text).state]).toEqual([202, 'checking'])
    const tooLarge = await send(origin, '/imports?resource=products', { body: toLines(11 * mebibyte), headers: jsonl })
    expect([tooLarge.status, tooLarge.type]).toEqual([413, expect.stringContaining('application/problem+json')])

    const operations = Array.from({ length: 500 }, (_, at) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Dish ${at}`, price: 1, description: 'x'.repeat(200) },
    }))
    const json = { 'content-type': 'application/json' }
    expect((await send(origin, '/batch', { body: JSON.stringify({ operations }), headers: json })).status).toBe(200)
    const whole = await send(origin, '/export?resources=products')
    expect(whole.text.match(/"title":"Dish /g)?.length).toBeGreaterThanOrEqual(operations.length)

    const { body } = await server.call('POST', `/admin/merchants/${venue.id}/keys`, server.adminToken, {
      mode: 'live',
      allowedIps: [known],
    })
    const headers = { 'x-forwarded-for': known, 'cf-connecting-ip': known, 'x-real-ip': known }
    expect((await send(origin, '/products', { key: body.key })).status).toBe(200)
    expect((await send(origin, '/products', { key: body.key, from: foreign, headers })).status).toBe(403)
  })
})
