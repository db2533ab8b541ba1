import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { halvesIn } from '../../drill/storage.ts'
import { createOwnServer, type OwnServer, runServer } from '../../support/own-server.ts'
import { findServer } from '../shared-service.ts'

const megabyte = 1024 * 1024
/** A disk of its own, in memory. */
let disk: string
let server: OwnServer
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  server = await createOwnServer(await findServer(), { RATE_LIMITS: 'off' }, join(disk, 'data'))
  await server.start()
})
afterAll(async () => {
  await server?.close()
  execFileSync('umount', ['--lazy', disk])
  await rm(disk, { recursive: true, force: true })
})

/** Fills the disk to its last byte. */
async function fill(file: string) {
  for (let bytes = megabyte; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    const write = () => writeFile(file, Buffer.alloc(bytes), { flag: 'a' })
    for (;;)
      if (
        !(await write()
          .then(() => true)
          .catch(() => false))
      )
        break
  }
}

test('on a full disk writes get 503 and reads go on; with room again, writes go on, and nothing is lost', async () => {
  const { id, key } = await server.createAccount()
  const products = `/merchants/${id}/products`
  const made: string[] = []
  const create = async () => {
    const { status, body } = await server.call('POST', products, key, {
      title: 'Dish',
      price: 1,
      description: 'x'.repeat(900),
    })
    if (status === 201) made.push(body.id)
    return { status, code: body.code }
  }
  for (let index = 0; index < 20; index++) expect((await create()).status).toBe(201)
  await fill(join(disk, 'ballast'))
  // Free pages of the databases and their logs take some more rows.
  let last = { status: 201, code: undefined }
  for (let index = 0; index < 1_000 && last.status === 201; index++) last = await create()
  expect(last).toEqual({ status: 503, code: 'unavailable' })
  for (let index = 0; index < 20; index++) expect((await create()).status).toBe(503)
  expect((await server.call('GET', `${products}/${made[0]}`, key)).status).toBe(200)
  const backup = join(disk, 'backup.tar.gz')
  expect(await runServer(await findServer(), ['backup', backup, '--data', server.state])).toEqual({
    code: 2,
    output: 'The disk is full. No backup was written.\n',
  })
  expect(await readdir(disk)).toEqual(['ballast', 'data'])
  await rm(join(disk, 'ballast'))
  expect((await create()).status).toBe(201)
  for (const product of made) expect((await server.call('GET', `${products}/${product}`, key)).status).toBe(200)
  await server.kill()
  expect(await halvesIn(server.state)).toEqual([])
  await server.start()
  for (const product of made) expect((await server.call('GET', `${products}/${product}`, key)).status).toBe(200)
})
