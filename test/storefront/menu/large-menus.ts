import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { createTestWorker } from '../../support/test-worker.ts'

const utf8 = new TextEncoder()
export const bytesOf = (text: string) => utf8.encode(text).byteLength
/** The Worker as it is deployed. */
export const worker = createTestWorker({ ALLOW_INSECURE_WEBHOOKS: undefined })
/** One page, its size, and the size of the rows that D1 returned. */
export async function request(path: string) {
  worker.used()
  const { status, headers, body } = await worker.fetch(path)
  const text: string = typeof body === 'string' ? body : JSON.stringify(body)
  await worker.settle()
  const { results } = worker.used()
  return { status, headers, body, text, bytes: bytesOf(text), readBytes: bytesOf(JSON.stringify(results)) }
}
export const count = (text: string, part: string | RegExp) => text.split(part).length - 1
export type Venue = Awaited<ReturnType<typeof createVenue>>

/** Every page of a menu, as its links lead from one to the next. */
export async function readPages(path: string) {
  const pages: Awaited<ReturnType<typeof request>>[] = []
  for (let next: string | undefined = path; next !== undefined && pages.length < 50; ) {
    const page = await request(next)
    expect(page.status).toBe(200)
    pages.push(page)
    const [, address] =
      /<a rel="next" href="([^"]+)"/.exec(page.text) ??
      /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ??
      []
    next = address && new URL(address.replaceAll('&amp;', '&'), `https://x${path}`).href.slice('https://x'.length)
  }
  return pages
}

const listIds = async (collection: 'modifiers' | 'products', venue: Venue) => {
  const { results } = await env.DB.prepare(`select id from ${collection} where merchant_id = ? order by id`)
    .bind(venue.id)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** Modifiers with many options, each made as the first one is. */
export const createModifiers = async (venue: Venue, modifiers: number, options: number, label = 'Option') => {
  const { body } = await venue.post('/modifiers', {
    title: 'Choice 0',
    instructions: '',
    options: Array.from({ length: options }, (_, option) => ({ label: `${label} ${option}`, additionalCost: 0.5 })),
  })
  await multiply('modifiers', body.id, modifiers - 1, { title: "'Choice ' || n" })
  return listIds('modifiers', venue)
}

/** A venue with many products, each made as the first one is. */
export async function createProducts(venue: Venue, amount: number, product: object) {
  const { body } = await venue.post('/products', { title: 'Dish', price: 1, ...product })
  await multiply('products', body.id, amount - 1, { title: "'Dish ' || n" })
  return listIds('products', venue)
}
/** A menu with as many sections as products are given lists; a body would be too large for some. */
export async function createMenu(venue: Venue, lists: readonly (readonly string[])[]) {
  const { body } = await venue.post('/menus', { title: 'All', sections: [{ title: 'One' }] })
  const sections = lists.map((items, index) => ({ id: `sec_${index}`, title: `Section ${index}`, type: 'LIST', items }))
  await env.DB.prepare('update menus set sections = ? where id = ?').bind(JSON.stringify(sections), body.id).run()
}
