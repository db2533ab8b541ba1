import { expect, test } from 'vitest'
import { files } from '../../src/docs/files.ts'
import { playRound } from '../fuzz/round.ts'
import { adminToken, send } from '../support/api.ts'

const { 'openapi.json': text = '' } = await files()
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

test('whatever a client sends, nothing breaks and nothing wrong is kept', { timeout: 120_000 }, async () => {
  const statuses = new Set<number>()
  let objects = 0
  for (const seed of [1, 2, 3, 4]) {
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
  expect(objects).toBeGreaterThan(40)
  for (const status of [200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 422]) expect(statuses).toContain(status)
})
