import { env } from 'cloudflare:workers'
import { SQL } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { loadCopy } from '../support/module-copy.ts'

test('no statement is compiled before a request needs it', async () => {
  const made = vi.spyOn(SQL.prototype, 'toQuery')
  // A second copy of all modules, loaded with the spy in place.
  const { app } = await loadCopy(async () => {
    await import('../../src/index.ts')
    return import('../../src/app/app.ts')
  })
  expect(made).not.toHaveBeenCalled()
  // Proves that the spy sees a compiled statement.
  expect((await app.request('/health', {}, env)).status).toBe(200)
  expect(made).toHaveBeenCalledOnce()
})
