import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'
import { uploadBackup } from '../../../src/tenancy/backup/upload-backup.ts'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { filling } from '../../support/filled.ts'
import { tables } from '../../support/tables.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const _fill = async (n: number) => {
  const every = new Set(tables.map(getTableName))
  await env.DB.batch(filling(every, n).map((sql) => env.DB.prepare(sql)))
}

describe('the routes of backups', () => {
  const backups = (id: string) => `/admin/merchants/${id}/backups`

  test('create, list and download', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    const { status, headers, body } = await call('POST', backups(venue.id), adminToken)
    expect([status, headers.get('location')]).toEqual([201, `${backups(venue.id)}/${body.takenAt}`])
    expect(body).toEqual({
      takenAt: Math.floor(Date.now() / 1000),
      bytes: expect.any(Number),
      rows: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      checkedAt: body.takenAt,
      expiresAt: body.takenAt + 35 * 86_400,
    })
    const again = await call('POST', backups(venue.id), adminToken)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect((await call('GET', backups(venue.id), adminToken)).body).toEqual([body])
    const response = await call('GET', `${backups(venue.id)}/${body.takenAt}`, adminToken)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${venue.id}-${body.takenAt}.jsonl.gz"`,
    )
  })

  test('upload what was downloaded, and nothing else', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    const { body: taken } = await call('POST', backups(venue.id), adminToken)
    const stored = await env.BACKUPS.get(toBackupKey(venue.id, taken.takenAt))
    const fileBytes = new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))
    const put = (takenAt: number, body: BodyInit, merchant = venue.id, type = 'application/gzip') =>
      send(`${backups(merchant)}/${takenAt}`, {
        method: 'PUT',
        body,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': type },
      })
    const earlier = taken.takenAt - 10
    const uploaded = await put(earlier, fileBytes)
    expect([uploaded.status, uploaded.body]).toEqual([
      201,
      // The upload may be checked in the next second.
      { ...taken, takenAt: earlier, expiresAt: taken.expiresAt - 10, checkedAt: expect.closeTo(taken.checkedAt, -1) },
    ])
    const limited = (maxBytes: number) =>
      uploadBackup(env, venue.id, earlier - 2, new Blob([fileBytes]).stream(), maxBytes)
    await expect(limited(fileBytes.length - 1)).rejects.toMatchObject({ code: 'body_too_large' })
    expect(await limited(fileBytes.length)).toMatchObject({ bytes: fileBytes.length })
    const again = await put(earlier, fileBytes)
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    const zip = (text: string) =>
      new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
    const text = await new Response(new Blob([fileBytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
    const files = [
      fileBytes.subarray(0, -50),
      'text',
      await zip(''),
      await zip(text.slice(0, text.indexOf('{"end"'))),
      await zip(text.replace(/\{"table":"products".*\n/, '')),
      await zip(text.replace('"format":1', '"format":2')),
    ]
    for (const [index, file] of files.entries()) {
      const { status, body } = await put(earlier - 1, file)
      expect([index, status, body.detail]).toEqual([index, 409, expect.stringContaining('cannot be read')])
    }
    expect((await put(earlier - 1, fileBytes, 'mer_other')).status).toBe(409)
    expect((await put(earlier - 1, fileBytes, venue.id, 'text/plain')).status).toBe(415)
    for (const takenAt of [taken.takenAt + 1_000, taken.takenAt - 36 * 86_400, 1.5])
      expect((await put(takenAt, fileBytes)).status).toBe(404)
    expect(await env.BACKUPS.head(toBackupKey(venue.id, earlier - 1))).toBeNull()
    expect((await call('GET', backups(venue.id), adminToken)).body).toHaveLength(3)
  })

  test('are for the operator, and reject what does not exist', async () => {
    const venue = await createVenue()
    expect((await send(backups(venue.id))).status).toBe(401)
    expect((await call('POST', backups('mer_unknown'), adminToken)).status).toBe(404)
    expect((await call('GET', backups('mer_unknown'), adminToken)).body).toEqual([])
    for (const takenAt of ['1', 'x', '..%2fother%2f1'])
      expect((await call('GET', `${backups(venue.id)}/${takenAt}`, adminToken)).status).toBe(404)
  })
})
