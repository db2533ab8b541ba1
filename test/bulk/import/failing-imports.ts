import { onTestFinished, vi } from 'vitest'
import { failureLimits } from '../../../src/bulk/import/import-limits.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import type { Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { createQueue } from './import-queue.ts'

/** Stops the clock and hides the log of failures until the test ends. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  const logged = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => {
    vi.useRealTimers()
    logged.mockRestore()
  })
}
export const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** Lets a change of rows fail in the database of the merchant until the test ends, or until the returned function is called. */
export async function failRows({ id }: Pick<Venue, 'id'>, change: string, condition: string) {
  const name = `fails_${crypto.randomUUID().replaceAll('-', '')}`
  await queryHome(
    id,
    `create trigger ${name} before ${change} when ${condition} begin select raise(abort, 'unknown'); end`,
  )
  const repair = async () => void (await queryHome(id, `drop trigger if exists ${name}`))
  onTestFinished(repair)
  return repair
}

/** Imports of a venue that make a step only when the test says so. */
export function createFailingQueue(venue: Venue, bindings: Partial<Bindings> = {}) {
  const [queue, quiet] = [createQueue(bindings), createQueue()]
  const imports: string[] = []
  const consume = (id: string) => queue.consume({ merchant: venue.id, testMode: false, import: id })
  return {
    queue,
    consume,
    async upload(query: string, content: string, headers?: Record<string, string>) {
      const id = await quiet.upload(venue, query, content, headers)
      imports.push(id)
      return id
    },
    check: (id: string) => quiet.consume({ merchant: venue.id, testMode: false, import: id }),
    apply: (id: string) => quiet.apply(venue, id),
    /** Each minute the consumer gets a message for each import, as from the scheduled task. */
    async passMinutes(count: number) {
      for (let minute = 0; minute < count; minute++) {
        passSeconds(failureLimits.intervalSeconds)
        for (const id of imports) await consume(id)
        await queue.drain()
      }
    },
  }
}

/** The failures of an import that were counted. */
export async function countFailures({ id: merchant }: Pick<Venue, 'id'>, id: string) {
  const [row] = await queryHome(merchant, 'select failures from imports where id = ?', id)
  return row?.['failures']
}

export const setFailures = ({ id: merchant }: Pick<Venue, 'id'>, id: string, count: number) =>
  queryHome(merchant, 'update imports set failures = ? where id = ?', count, id)
