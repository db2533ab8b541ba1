import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUpNightly } from '../../../packages/server/src/backup/nightly.ts'
import { halvesIn } from '../../drill/storage.ts'
import { createOwnServer, type OwnServer, runServer } from '../../support/own-server.ts'
import { smallPicture } from '../../support/pictures.ts'
import { dataFolder } from '../../support/service.ts'
import { findServer } from '../shared-service.ts'

let program: string
let folder: string
let server: OwnServer
let venue: { id: string; key: string }
const request = (at: OwnServer, method: string, path: string, body?: unknown) =>
  at.call(method, `/merchants/${venue.id}${path}`, venue.key, body)

beforeAll(async () => {
  program = await findServer()
  folder = await mkdtemp(join(dataFolder, 'backups-'))
  server = await createOwnServer(program)
  await server.start()
  venue = await server.createAccount()
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Creates products and tags until it is stopped. Returns the ids of those that were acknowledged. */
function write() {
  const [products, codes]: string[][] = [[], []]
  let isOver = false
  const work = async () => {
    for (let index = 0; !isOver; index++) {
      const { body } = await request(server, 'POST', '/products', { title: `Dish ${index}`, price: 1 })
      products?.push(body.id)
      const tag = await request(server, 'POST', '/tags', {})
      codes?.push(new URL(tag.body.url).pathname)
    }
  }
  const working = work()
  return {
    products: products ?? [],
    codes: codes ?? [],
    async stop() {
      isOver = true
      await working
    },
  }
}

const backUp = (file: string, data = server.state) => runServer(program, ['backup', file, '--data', data])
const restore = (file: string, data: string, ...flags: readonly string[]) =>
  runServer(program, ['restore', file, '--data', data, ...flags])

test('a backup during writes has all of what was acknowledged before it, and is consistent', async () => {
  const { body: dish } = await request(server, 'POST', '/products', { title: 'Soup', price: 5 })
  const picture = await fetch(`${server.origin}/merchants/${venue.id}/products/${dish.id}/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${venue.key}` },
    body: new Blob([smallPicture]),
  })
  const { url }: { url: string } = JSON.parse(await picture.text())
  const writer = write()
  await expect.poll(() => writer.codes.length).toBeGreaterThan(5)
  const before = { products: [...writer.products], codes: [...writer.codes] }
  const file = join(folder, 'all.tar.gz')
  expect(await backUp(file)).toEqual({ code: 0, output: expect.stringMatching(/^Wrote \d+ files, \d+ bytes, to /) })
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600')
  await writer.stop()
  expect(writer.products.length).toBeGreaterThan(before.products.length)
  expect((await readdir(server.state)).filter((name) => name.startsWith('.backup'))).toEqual([])

  const data = join(folder, 'restored')
  expect(await restore(file, data)).toEqual({ code: 0, output: expect.stringMatching(/^Restored \d+ files/) })
  expect(await halvesIn(data)).toEqual([])
  const restored = await createOwnServer(program, {}, data)
  try {
    await restored.start()
    const list = await restored.call('GET', `/merchants/${venue.id}/products?limit=100&order=asc`, venue.key)
    expect(list.status).toBe(200)
    for (const id of before.products) expect((await request(restored, 'GET', `/products/${id}`)).status).toBe(200)
    for (const path of before.codes) {
      const { status, headers } = await fetch(restored.origin + path, { redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([302, expect.stringContaining(`/m/${venue.id}`)])
    }
    const shown = await fetch(restored.origin + new URL(url).pathname)
    expect([shown.status, new Uint8Array(await shown.arrayBuffer())]).toEqual([200, new Uint8Array(smallPicture)])
  } finally {
    await restored.close()
  }
})

test('a backup that is damaged or not complete changes nothing', async () => {
  const file = join(folder, 'good.tar.gz')
  expect((await backUp(file)).code).toBe(0)
  const bytes = await readFile(file)
  const data = join(folder, 'untouched')
  await mkdir(data)
  const damage: Readonly<Record<string, Uint8Array>> = {
    'cut off': bytes.subarray(0, bytes.length - 20_000),
    'with another byte': bytes.map((byte, index) => (index === Math.floor(bytes.length / 2) ? byte ^ 1 : byte)),
    'no archive': Buffer.from('text'),
  }
  for (const [name, damaged] of Object.entries(damage)) {
    const path = join(folder, 'damaged.tar.gz')
    await writeFile(path, damaged)
    const { code, output } = await restore(path, data)
    expect([name, code, output]).toEqual([
      name,
      2,
      expect.stringMatching(/cannot be restored: .*\. Nothing was changed\.\n$/s),
    ])
    expect(await readdir(join(data, 'v3'))).toEqual([])
  }
  expect(await restore(file, server.state)).toEqual({
    code: 2,
    output: expect.stringContaining(`process id ${server.pid()}`),
  })
  expect(await backUp(join(folder, 'none.tar.gz'), data)).toEqual({
    code: 2,
    output: `The folder ${data} contains no data of the server.\n`,
  })
})

test('a restore replaces data only if it is told to, and keeps it', async () => {
  const file = join(folder, 'good.tar.gz')
  const { body: late } = await request(server, 'POST', '/products', { title: 'Late', price: 5 })
  await server.stop()
  expect((await restore(file, server.state)).output).toBe(
    `The folder ${server.state} has data. Pass --replace to replace it.\n`,
  )
  const { code, output } = await restore(file, server.state, '--replace')
  const [, kept = ''] = /The data before it is in (.*)\.\n/.exec(output) ?? []
  expect([code, (await stat(kept)).isDirectory()]).toEqual([0, true])
  await server.start()
  expect((await request(server, 'GET', `/products/${late.id}`)).status).toBe(404)
})

test('each night has one backup, and the last seven are kept', async () => {
  const nights = await mkdtemp(join(folder, 'nights-'))
  const made: string[] = []
  const run = async (file: string) => {
    made.push(file)
    await writeFile(file, '')
  }
  await writeFile(join(nights, 'other.tar.gz'), '')
  for (let hour = 0; hour < 24 * 10; hour++) await backUpNightly(nights, new Date(Date.UTC(2026, 10, 1, hour)), run)
  expect(made).toHaveLength(10)
  const kept = Array.from({ length: 7 }, (_, index) => `server-2026-11-${String(index + 4).padStart(2, '0')}.tar.gz`)
  expect((await readdir(nights)).toSorted()).toEqual(['other.tar.gz', ...kept])
})
