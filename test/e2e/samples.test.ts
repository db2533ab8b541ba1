import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { delays } from '../../src/platform/outbox/retry-delays.ts'
import { jitter } from '../../src/webhooks/retry-schedule.ts'
import { sign } from '../../src/webhooks/sign.ts'
import { freePort } from '../support/receiver.ts'

const page = await readFile(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const sampleIn = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''
const run = promisify(execFile)
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = '{"id":"evt_1","type":"product.created","data":{"title":"Tee “grün”"}}'

async function headersOf({ of = body, ago = 0 } = {}) {
  const at = Math.floor(Date.now() / 1000) - ago
  const signature = `v1,AAAA ${await sign([secret], 'evt_1', at, of)}`
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': `${at}`, 'webhook-signature': signature }
}

let folder = ''
beforeAll(async () => {
  // Inside the project, so that what the sample imports is found.
  folder = await mkdtemp(resolve(import.meta.dirname, 'sample-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const has = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

describe.each([
  [
    'python',
    'python3',
    'import sys\na = json.load(sys.stdin)\nprint(verify(a[0], a[1], a[2].encode())["type"])\n',
    'py',
  ],
  [
    'php',
    'php',
    '$a = json_decode(stream_get_contents(STDIN), true);\necho verify($a[0], $a[1], $a[2])["type"];\n',
    'php',
  ],
])('the sample in %s', async (language, program, use, extension) => {
  const isHere = await has(program)
  const verify = async (input: unknown[]) => {
    const file = join(folder, `sample.${extension}`)
    await writeFile(file, `${sampleIn(language)}\n${use}`)
    const child = run(program, [file])
    child.child.stdin?.end(JSON.stringify(input))
    return (await child).stdout.trim()
  }

  test.skipIf(!isHere)('accepts what was sent, and nothing else', async () => {
    expect(await verify([secret, await headersOf(), body])).toBe('product.created')
    await expect(verify([secret, await headersOf({ of: '{}' }), body])).rejects.toThrow(/not signed/)
    await expect(verify([secret, await headersOf({ ago: 301 }), body])).rejects.toThrow(/too long ago/)
    await expect(verify([secret.replace('C2F', 'D2F'), await headersOf(), body])).rejects.toThrow(/not signed/)
    const sent = await headersOf()
    const rejection = /(?:ValueError|RuntimeException): (?:not signed|no time of sending)/
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const others = Object.fromEntries(Object.entries(sent).filter(([header]) => header !== name))
      await expect(verify([secret, others, body])).rejects.toThrow(rejection)
      for (const value of ['', ' ', 'x', 'v1,é', '²', '-1', 'v1,'])
        await expect(verify([secret, { ...sent, [name]: value }, body])).rejects.toThrow(rejection)
    }
  })
})

test('the sample in TypeScript accepts authentic notifications only', async () => {
  const port = await freePort()
  const file = join(folder, 'sample.mjs')
  await writeFile(file, sampleIn('ts'))
  const env = { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  try {
    const post = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
    for (let i = 0; i < 100; i++) {
      if (await post({}).catch(() => false)) break
      await wait(50)
    }
    expect(await post(await headersOf())).toBe(204)
    expect(await post(await headersOf({ of: '{}' }))).toBe(400)
    expect(await post(await headersOf({ ago: 301 }))).toBe(400)
    expect(await post({})).toBe(400)
  } finally {
    child.kill()
  }
})

test('the documented attempts match the retry schedule', () => {
  const rows = [...page.matchAll(/^\| (\d+) +\| ([\d,]+)(?:–([\d,]+))? +\|/gm)].map(
    ([, attempt, from = '', to = from]) => [attempt, from, to].map((text) => Number(text?.replaceAll(',', ''))),
  )
  expect(rows).toEqual(
    delays.map((delay, index) => [index + 1, Math.round(delay * (1 - jitter)), Math.round(delay * (1 + jitter))]),
  )
})
