import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { type ApiResponse, origin } from './api.ts'
import { loadCopy } from './module-copy.ts'

/** Requests to an isolate of its own: a copy of the modules, with caches and locks of its own, over the same database. */
export async function createIsolate(database: D1Database = env.DB) {
  const { app } = await loadCopy(() => import('../../src/app/app.ts'))
  return async (
    method: string,
    path: string,
    key: string,
    json: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse> => {
    const request = new Request(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    })
    const response = await app.fetch(request, { ...env, DB: database }, createExecutionContext())
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
}
