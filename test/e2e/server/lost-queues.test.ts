import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnServer, type OwnServer } from '../../support/own-server.ts'
import { findServer } from '../shared-service.ts'

/** Time within which a sweep finds work again, in milliseconds: two of its minutes, and a start on a busy machine. */
const sweepMs = 180_000
const rows = 3_000
/** Time between two scans and before a kill, in milliseconds: less than the queue of scans collects them. */
const pauseMs = 500

let server: OwnServer
let venue: { id: string; key: string }
beforeAll(async () => {
  server = await createOwnServer(await findServer())
  await server.start()
  venue = await server.createAccount()
})
afterAll(() => server?.close())

const request = (method: string, path: string, body?: unknown, headers = {}) =>
  server.call(method, `/merchants/${venue.id}${path}`, venue.key, body, headers)
async function restart(): Promise<void> {
  await server.kill()
  await server.start()
}

test('an import goes on whose message was lost while it was checked, and again while it was applied', {
  timeout: 3 * sweepMs,
}, async () => {
  const lines = Array.from({ length: rows }, (_, at) =>
    JSON.stringify({ externalId: `R${at}`, title: `Row ${at}`, price: 1 }),
  )
  const response = await fetch(`${server.origin}/merchants/${venue.id}/imports?resource=products&apply=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${venue.key}`, 'content-type': 'application/jsonl' },
    body: lines.join('\n'),
  })
  const { id } = JSON.parse(await response.text())
  const read = async () => (await request('GET', `/imports/${id}`)).body
  const seen: string[] = [(await read()).state]
  await restart()
  await expect
    .poll(read, { timeout: sweepMs, interval: 50 })
    .toMatchObject({ state: expect.stringMatching(/applying|done/) })
  seen.push((await read()).state)
  await restart()
  await expect
    .poll(read, { timeout: sweepMs, interval: 500 })
    .toMatchObject({ state: 'done', created: rows, failed: 0 })
  expect(seen).toEqual(['checking', 'applying'])
  const listed = await fetch(`${server.origin}/merchants/${venue.id}/export?resources=products`, {
    headers: { authorization: `Bearer ${venue.key}` },
  })
  const stored = (await listed.text()).match(/"externalId":"R\d+"/g) ?? []
  expect([stored.length, new Set(stored).size]).toEqual([rows, rows])
})

test('a move whose message was lost ends, with all objects', { timeout: 2 * sweepMs }, async () => {
  const path = `/admin/merchants/${venue.id}/move`
  const { status } = await server.call('POST', path, server.adminToken, { home: 'd1' })
  expect(status).toBe(202)
  await restart()
  const read = async () => (await server.call('GET', path, server.adminToken)).body
  await expect.poll(read, { timeout: sweepMs, interval: 500 }).toMatchObject({ state: 'done' })
  expect((await request('GET', '/products?externalIds=R0,R2999')).body).toHaveLength(2)
})

test('scans are on the disk a moment after their redirects', { timeout: sweepMs }, async () => {
  const { body: tag } = await request('POST', '/tags', {})
  const scans = 5
  for (let n = 0; n < scans; n++) {
    const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile' }
    const { status } = await fetch(`${server.origin}/T/${tag.id}`, { headers, redirect: 'manual' })
    expect(status).toBe(302)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  await restart()
  const { body: counts } = await request('GET', `/tags/${tag.id}/scans`)
  expect(counts).toMatchObject([{ channel: 'qr', count: scans }])
})
