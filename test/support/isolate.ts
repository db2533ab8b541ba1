import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { type Answer, origin } from './api.ts'

/**
 * Requests to an isolate of its own: its modules are loaded anew, with caches and locks of their own, over the same database.
 * Worker entry points load anew as well, so that what a test has imported before is not what serves later requests to `exports`.
 */
export async function createIsolate(database: D1Database = env.DB) {
  vi.resetModules()
  const { app } = await import('../../src/app.ts')
  return async (method: string, path: string, key: string, json: unknown): Promise<Answer> => {
    const request = new Request(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    const response = await app.fetch(request, { ...env, DB: database }, createExecutionContext())
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
}
