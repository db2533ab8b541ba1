import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectService } from './shared-service.ts'

const bytes = 24 * 1024 * 1024
const body = Buffer.alloc(bytes, 'x')
let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-bodies-'))
  file = join(folder, 'file')
  await writeFile(file, body)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Status of a POST by Node's own client, which sends all of a body before it reads. */
async function sendByHttp(
  url: string,
  headers: Record<string, string>,
  isChunked: boolean,
): Promise<number | undefined> {
  const length = isChunked ? {} : { 'content-length': String(bytes) }
  const sent = request(url, { method: 'POST', headers: { ...headers, ...length } })
  sent.end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}

/** Programs that POST the file `FILE` to `URL` with the headers in `TYPE` and `AUTH`, and print the status. */
const programs: Readonly<Record<string, readonly string[]>> = {
  curl: ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'Expect:', '-H', '@-', '--data-binary', '@FILE', 'URL'],
  python3: [
    '-c',
    `import http.client, sys, urllib.parse
u = urllib.parse.urlsplit(sys.argv[1]); c = http.client.HTTPConnection(u.hostname, u.port)
c.request('POST', u.path + '?' + u.query, open(sys.argv[2], 'rb').read(), {'Content-Type': sys.argv[3], 'Authorization': sys.argv[4]})
print(c.getresponse().status, end='')`,
    'URL',
    'FILE',
    'TYPE',
    'AUTH',
  ],
  php: [
    '-r',
    `$h = ['http' => ['method' => 'POST', 'ignore_errors' => true, 'header' => ['Content-Type: '.$argv[3], 'Authorization: '.$argv[4]], 'content' => file_get_contents($argv[2])]];
file_get_contents($argv[1], false, stream_context_create($h)); echo explode(' ', $http_response_header[0])[1];`,
    'URL',
    'FILE',
    'TYPE',
    'AUTH',
  ],
  ruby: [
    '-rnet/http',
    '-e',
    `u = URI(ARGV[0]); r = Net::HTTP::Post.new(u, 'Content-Type' => ARGV[2], 'Authorization' => ARGV[3]); r.body = File.binread(ARGV[1])
print Net::HTTP.start(u.host, u.port) { |h| h.request(r) }.code`,
    'URL',
    'FILE',
    'TYPE',
    'AUTH',
  ],
}
const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined
const installed = Object.keys(programs).filter(isInstalled)

async function sendByProgram(program: string, url: string, headers: Record<string, string>): Promise<number> {
  const values: Record<string, string> = {
    URL: url,
    FILE: file,
    TYPE: headers['content-type'] ?? '',
    AUTH: headers['authorization'] ?? '',
  }
  const args = (programs[program] ?? []).map((arg) => values[arg] ?? arg.replace('@FILE', `@${file}`))
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(program === 'curl' ? `content-type: ${values['TYPE']}\nauthorization: ${values['AUTH']}\n` : '')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'close')
  return Number(output)
}

test('uploads that are rejected get the response, and not a connection that is reset', async () => {
  const { origin, adminToken, call } = await connectService()
  const { body: merchant } = await call('POST', '/admin/merchants', adminToken, { name: 'Bakery', currency: 'EUR' })
  const { body: made } = await call('POST', `/admin/merchants/${merchant.id}/keys`, adminToken, { mode: 'live' })
  const own = `${origin}/merchants/${merchant.id}`
  const authorization = `Bearer ${made.key}`
  const png = { 'content-type': 'image/png', authorization }
  const cases: [path: string, headers: Record<string, string>, status: number][] = [
    ['/products/prod_none/images', png, 413],
    ['/products/prod_none/images', { ...png, 'content-type': 'multipart/form-data; boundary=b' }, 413],
    ['/imports?resource=products', { ...png, 'content-type': 'text/csv' }, 413],
    ['/products', { ...png, 'content-type': 'application/json' }, 413],
    ['/batch', { ...png, 'content-type': 'application/json' }, 413],
    ['/products', png, 415],
    ['/products', { ...png, authorization: 'Bearer sk_live_none' }, 401],
    ['/nothing', png, 404],
  ]
  for (const [path, headers, status] of cases) {
    const url = own + path
    for (const isChunked of [false, true]) {
      expect([path, isChunked, await sendByHttp(url, headers, isChunked)]).toEqual([path, isChunked, status])
    }
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    expect([path, response.status]).toEqual([path, status])
  }
  const [path, headers, status] = cases[0] ?? ['', {}, 0]
  for (const program of installed) {
    expect([program, await sendByProgram(program, own + path, headers)]).toEqual([program, status])
  }
}, 120_000)
