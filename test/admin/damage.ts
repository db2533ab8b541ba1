import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { adminToken } from '../support/api.ts'
import type { WebhookHarness } from '../support/webhook-harness.ts'

/** Writes values that the service never writes. */
export const damage = (sql: string, ...values: unknown[]) =>
  env.DB.batch([
    env.DB.prepare('pragma ignore_check_constraints = on'),
    env.DB.prepare(sql).bind(...values),
    env.DB.prepare('pragma ignore_check_constraints = off'),
  ])

export const toNextPage = ({ headers }: { headers: Headers }) => {
  const [, target] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'https://api.test')
}

/** Lists the ids of all objects, one array for each page. */
export async function listIds(harness: WebhookHarness, path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let url: URL | undefined = new URL(harness.path(path), 'https://api.test'); url; ) {
    const response = await harness.request('GET', url.pathname + url.search)
    expect([path, response.status]).toEqual([path, 200])
    pages.push(response.body.map(({ id }: { id: string }) => id))
    url = toNextPage(response)
    if (pages.length > 20) throw new Error('the list does not end')
  }
  return pages
}

export const admin = (harness: WebhookHarness, path: string) =>
  harness.request('GET', `/admin/merchants/${harness.venue.id}${path}`, undefined, adminToken)
