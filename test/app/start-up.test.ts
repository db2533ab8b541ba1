import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'

test('no statement is compiled before a request needs it', async () => {
  // A second copy of all modules, loaded with the spy in place.
  vi.resetModules()
  const { SQL } = await import('drizzle-orm')
  const made = vi.spyOn(SQL.prototype, 'toQuery')
  const { app } = await import('../../src/app.ts')
  await import('../../src/index.ts')
  expect(made).not.toHaveBeenCalled()
  // Proves that the spy sees a compiled statement.
  expect((await app.request('/health', {}, env)).status).toBe(200)
  expect(made).toHaveBeenCalledOnce()
})
