import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { buildFiles } from '../../../tools/openapi/build.ts'
import { inspect } from '../../fuzz/inspection.ts'
import { playRound } from '../../fuzz/round.ts'
import { adminToken, createKey, createVenue, send } from '../../support/api.ts'
import { listDeviations } from '../../support/openapi-contract.ts'
import { isLong, toRounds } from '../../support/rounds.ts'

const { 'openapi.json': text = '' } = await buildFiles()
const naughty = [
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '%00',
  '\u202e\u200b',
  '🏳️‍🌈',
  '../../etc/passwd',
  '" or ""="',
  '*',
  'a*',
  'AND',
]
const utf8 = new TextEncoder()
const bodies = ['[', '{"a":1e9999}', '{"title":"\\ud800"}', '{"title":1,"title":2}', '{}x', ''].map((json) => [
  ...utf8.encode(json),
])

/** The first body alone causes nearly all statuses. */
const seeds = [3, 2, 1, 4]

test('random requests cause no internal error and store no invalid data', { timeout: 120_000 }, async () => {
  const statuses = new Set<number>()
  let objects = 0
  const rounds = seeds.slice(0, toRounds(seeds.length))
  for (const seed of rounds) {
    const round = await playRound(seed, {
      async send({ method, path, headers, body }) {
        const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
        const content = typeof body === 'string' ? body : new Uint8Array(body ?? [])
        return send(path, { method, headers, ...(hasBody ? { body: content } : {}) })
      },
      document: JSON.parse(text),
      adminToken,
      naughty,
      bodies,
      sendable: /^[\t\x20-\x7e]*$/,
      steps: 100,
      requests: 250,
    })
    expect([seed, round.findings]).toEqual([seed, []])
    objects += round.objects
    for (const status of round.statuses.keys()) statuses.add(status)
  }
  expect(objects).toBeGreaterThan(10 * rounds.length)
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 415, 422, ...(isLong ? [413] : [])])
    expect(statuses).toContain(status)
})

test('the inspection finds invalid stored data', async () => {
  const venue = await createVenue()
  const tester = await createKey(venue.id, { mode: 'test' })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  const { body: coupon } = await venue.post('/coupons', { title: 'A', code: 'A', type: 'FIXED', value: 1 })
  const findProblem = async () => {
    const deviations = listDeviations(JSON.parse(text))
    const { findings } = await inspect(
      (mode, method, path) => (mode === 'live' ? venue : tester).request(method, path),
      (method, path, response) => deviations(method, venue.path(path), response),
    )
    return findings.join('\n')
  }
  expect(await findProblem()).toBe('')
  for (const [sql, finding] of [
    [`update products set price = 2 where id = '${product.id}'`, 'differs from its last event'],
    [`update products set title = ' padded' where id = '${product.id}'`, 'differs from its last event'],
    [
      `update events set version = 2 where type = 'coupon.created' and merchant_id = '${venue.id}'`,
      'version 2 behind 0',
    ],
    [
      `update coupons set products = '["prod_none"]' where id = '${coupon.id}'`,
      'names prod_none, which does not exist',
    ],
  ] as const) {
    await env.DB.exec(sql)
    expect(await findProblem()).toContain(finding)
  }
})
