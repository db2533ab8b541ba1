import { describe, expect, test } from 'vitest'
import webhooksPage from '../../docs/webhooks.md?raw'
import { circuitBreaker, failuresUntilSlow } from '../../src/platform/outbox/circuit-breaker.ts'
import { maxDelaySeconds } from '../../src/platform/outbox/enqueue-deliveries.ts'
import { delays, maxAttempts } from '../../src/platform/outbox/retry-delays.ts'
import { deactivationThreshold } from '../../src/webhooks/deactivation.ts'
import { jitter, maxRetryAfter } from '../../src/webhooks/retry-schedule.ts'
import { sweepBounds } from '../../src/webhooks/scheduled.ts'
import { declared } from '../support/declared.ts'

describe('the guide to webhooks states', () => {
  const guide = webhooksPage.replaceAll(/\s+/g, ' ')
  const words = [
    'no',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ]
  const show = (number: number) => number.toLocaleString('en')

  test('when a webhook is deactivated', () =>
    expect(guide).toContain(
      `no success for ${words[deactivationThreshold.days]} days and at least ${words[deactivationThreshold.failures]} attempts`,
    ))

  test('when an endpoint is slow or broken, and what it then gets', () => {
    expect(guide).toContain(`broken after ${words[circuitBreaker.failures]} failures in a row`)
    expect(guide).toContain(`failed ${words[failuresUntilSlow]} times in a row use a separate queue`)
    expect(guide).toContain(
      `failed ${words[circuitBreaker.failures]} times in a row receives [one call every ${circuitBreaker.pause} seconds]`,
    )
    expect(guide).toContain(`receives one call every ${circuitBreaker.pause} seconds`)
    const wave = declared('webhooks/backlog.ts', 'waveSize')
    expect(guide).toContain(
      `releases ${wave} pending deliveries. When the last of them succeeds, the next ${wave} follow`,
    )
    expect(guide).toContain(`${declared('webhooks/backlog.ts', 'overdueSeconds')} seconds after they are due`)
    expect(guide).toContain(
      `in passes of ${show(declared('webhooks/scheduled.ts', 'maxEnqueued'))}, at most ${sweepBounds.passes} passes or ${sweepBounds.ms / 1000} seconds`,
    )
    expect(guide).toContain(`examines ${show(declared('webhooks/find-backlogs.ts', 'maxWebhooks'))} webhooks`)
  })

  test('the delays between attempts', () => {
    const table = [...webhooksPage.matchAll(/^\| (\d+) +\| ([\d,–]+) +\|/gm)].map(([, attempt, range = '']) => [
      Number(attempt),
      ...range.split('–').map((seconds) => Number(seconds.replaceAll(',', ''))),
    ])
    expect(table).toEqual(
      delays.map((delay, index) => {
        const [least, most] = [delay * (1 - jitter), delay * (1 + jitter)].map(Math.round)
        return least === most ? [index + 1, least] : [index + 1, least, most]
      }),
    )
    expect(table).toHaveLength(maxAttempts)
    expect(guide).toContain(`Delays vary by ${jitter * 100} %`)
    expect(guide).toContain(`delays the next attempt by at most ${maxRetryAfter / 3_600} hours`)
    expect(guide).toContain(`more than ${maxDelaySeconds / 3_600} hours away`)
  })
})
