import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { checkRights } from '../../../../src/platform/auth/authenticate.ts'
import { largeWork } from '../../../../src/platform/http/bodies/byte-budget.ts'
import { streamLeased } from '../../../../src/platform/http/bodies/leased-texts.ts'
import type { Env } from '../../../../src/platform/http/context.ts'
import { outdateChecks, restoreChecks } from './slow-requests.ts'

afterEach(restoreChecks)

test('a stream whose rights have ended is cut off, and holds no memory', async () => {
  let hasEnded = false
  const check = () => {
    if (hasEnded) throw new Error('the key has ended')
  }
  async function* count() {
    for (let number = 0; number < 5; number++) yield `${number}`
  }
  const app = new Hono<Env>().get('/', async (c) => {
    await checkRights(c, check)
    return c.body(await streamLeased(c, largeWork.open('merchant'), count()))
  })
  const { leases } = largeWork
  const read = async () => (await app.request('/')).body?.getReader() ?? expect.fail('no body')
  const [kept, lost] = [await read(), await read()]
  for (const reader of [kept, lost]) expect(new TextDecoder().decode((await reader.read()).value)).toBe('0')
  hasEnded = true
  // Not older than 30 seconds.
  expect(new TextDecoder().decode((await kept.read()).value)).toBe('1')
  outdateChecks()
  for (const reader of [kept, lost]) await expect(reader.read()).rejects.toThrow('the key has ended')
  expect(largeWork.leases).toBe(leases)
})
