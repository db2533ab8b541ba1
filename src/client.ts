import { type ApplyGlobalResponse, hc } from 'hono/client'
import type { App } from './app.ts'
import type { ErrorResponses } from './core/errors.ts'

export interface ClientOptions {
  /** An API key of the merchant, or the operator's secret for `/admin`. */
  key?: string
  /** Used instead of the global one. */
  fetch?: typeof globalThis.fetch
}

/** A client whose requests, answers and errors have the types of the service's own routes. */
export const createClient = (origin: string, { key, fetch }: ClientOptions = {}) =>
  hc<ApplyGlobalResponse<App, ErrorResponses>>(origin, {
    ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    ...(fetch === undefined ? {} : { fetch }),
  })

export type Client = ReturnType<typeof createClient>
