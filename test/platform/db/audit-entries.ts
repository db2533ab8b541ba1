import { env } from 'cloudflare:workers'
import type { Venue } from '../../support/api.ts'

export interface Entry {
  id: string
  at: number
  key: string
  requestId?: string
  operation: string
  object: string
  title?: string
  testMode: boolean
}

export const log = async ({ get }: Pick<Venue, 'get'>, search = ''): Promise<Entry[]> =>
  (await get(`/audit${search}`)).body
export const toEntries = (entries: readonly Entry[]) => entries.map(({ operation, object }) => `${operation} ${object}`)
export const count = async (where: string) =>
  (await env.DB.prepare(`select count(*) as n from audit where ${where}`).first<{ n: number }>())?.n
