import { describe, expect, test } from 'vitest'
import { delays, maxAttempts } from '../../src/platform/outbox/retry-delays.ts'
import { getNextDelay, jitter, maxRetryAfter, parseRetryAfter } from '../../src/webhooks/retry-schedule.ts'

describe('the schedule', () => {
  test('is that of Standard Webhooks: ten attempts in about three days', () => {
    const [minute, hour] = [60, 3600]
    expect(delays).toEqual([
      0,
      5,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ])
  })

  test('ends after the last attempt, even with Retry-After', () => {
    expect(getNextDelay(maxAttempts, 0.5)).toBeUndefined()
    expect(getNextDelay(maxAttempts, 0.5, 60)).toBeUndefined()
    expect(getNextDelay(maxAttempts - 1, 0.5)).toBe(86_400)
  })

  test('varies by at most 20 %', () => {
    expect(jitter).toBe(0.2)
    for (const [failed, delay] of delays.entries()) {
      expect(getNextDelay(failed, 0)).toBe(Math.round(delay * 0.8))
      expect(getNextDelay(failed, 0.5)).toBe(delay)
      expect(getNextDelay(failed, 1)).toBe(Math.round(delay * 1.2))
      for (let i = 0; i < 50; i++) {
        const next = getNextDelay(failed, Math.random()) ?? -1
        expect(next).toBeGreaterThanOrEqual(Math.round(delay * 0.8))
        expect(next).toBeLessThanOrEqual(Math.round(delay * 1.2))
      }
    }
  })

  test('uses a longer Retry-After of up to a day', () => {
    expect(getNextDelay(1, 0.5, 4)).toBe(5)
    expect(getNextDelay(1, 0.5, 120)).toBe(120)
    expect(getNextDelay(1, 0.5, 86_401)).toBe(maxRetryAfter)
    expect(getNextDelay(1, 0.5, 999_999_999_999_999)).toBe(86_400)
    expect(getNextDelay(4, 0.5, 60)).toBe(7_200)
  })
})

describe('a Retry-After header', () => {
  const nowMs = Date.parse('2026-11-21T09:00:00.500Z')

  test.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['999999999999999', 999_999_999_999_999],
    ['Sat, 21 Nov 2026 09:02:00 GMT', 120],
    ['Sat, 21 Nov 2026 09:00:01 GMT', 1],
    ['Wed, 21 Nov 2096 09:00:01 GMT', (Date.UTC(2096, 10, 21) - Date.UTC(2026, 10, 21)) / 1000 + 1],
    ['Saturday, 21-Nov-26 09:02:00 GMT', 120],
    ['Sat Nov 21 09:02:00 2026', 120],
    ['Sun Nov  1 09:00:01 2099', (Date.UTC(2099, 10, 1) - Date.UTC(2026, 10, 21)) / 1000 + 1],
  ])('%s is parsed as RFC 9110 specifies', (header, seconds) => {
    expect(parseRetryAfter(header, nowMs)).toBe(seconds)
  })

  test.each(['Sat, 21 Nov 2026 09:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Sat Nov 21 09:00:00 2026'])(
    '%s is past and ignored',
    (header) => {
      expect(parseRetryAfter(header, nowMs)).toBeUndefined()
    },
  )

  test.each([
    '',
    ' ',
    '-5',
    '+5',
    '5.5',
    '1e3',
    '0x10',
    '５',
    '5 seconds',
    '5, 6',
    'soon',
    'Tomorrow 2099',
    'May 2099',
    'Sat, 21 Nov 2099',
    'Sat, 99 Nov 2099 09:02:00 GMT',
    '2099-11-21T09:02:00Z',
    'Infinity',
    'NaN',
    'null',
    '9'.repeat(400),
  ])('%j is invalid and ignored', (header) => {
    expect(parseRetryAfter(header, nowMs)).toBeUndefined()
  })

  test('is optional', () => {
    expect(parseRetryAfter(null, nowMs)).toBeUndefined()
  })
})
