import { eq } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { lazy, param } from '../db/database.ts'
import { db, typed } from '../db/query.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import type { Env } from '../http/context.ts'
import { booleanFilter, listFields, nextLink, pageSize } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import { requireBaseUrl } from '../qr/qr-routes.ts'
import { createSession } from '../resource/session.ts'
import { createStore } from '../resource/store/store.ts'
import type { StoreDependencies } from '../resource/store/store-context.ts'
import { tags } from '../resources/registry.ts'
import { createCard, type Sheet } from './layout.ts'
import { renderSheetHtml } from './sheet-html.ts'
import { renderSheetPdf } from './sheet-pdf.ts'

/** Parameters of a sheet: those of the list of tags, paper and layout. */
export const sheetQuery = z.strictObject({
  ...listFields,
  limit: listFields.limit.check(
    z.describe(`Number of tags on the sheet. 1–${pageSize.max}. Default: ${pageSize.max}.`),
  ),
  nfc: booleanFilter,
  testMode: booleanFilter,
  format: z.optional(z.enum(['a4', 'letter'])).check(z.describe('Paper format. Default: `a4`.')),
  layout: z
    .optional(z.enum(['tents', 'stickers']))
    .check(z.describe('Stickers, or tents that stand on tables. Default: `stickers`.')),
})

const findVenueName = lazy(() =>
  typed({ name: merchantTable.name }, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  ),
)

/** Routes of sheets, relative to the path of tags: HTML and PDF. */
export function createSheetRoutes(dependencies: StoreDependencies) {
  const store = createStore(tags, dependencies)

  async function readSheet(c: Context<Env>, parameters: z.output<typeof sheetQuery>): Promise<Sheet> {
    const { format = 'a4', layout = 'stickers', limit = pageSize.max, ...selection } = parameters
    const baseUrl = requireBaseUrl(c)
    const { database, scope } = c.var
    const [{ items, next }, [[venue]]] = await Promise.all([
      store.list(createSession(c), { ...selection, limit }, ({ item }) => item),
      database.run([findVenueName(), { merchantId: scope.merchantId }]),
    ])
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return {
      venue: venue?.name ?? '',
      cards: items.map((tag) => createCard(tag, baseUrl)),
      format,
      layout,
    }
  }

  return new Hono<Env>()
    .get('/sheet', query(sheetQuery), async (c) => {
      const { body, policy } = await renderSheetHtml(await readSheet(c, c.req.valid('query')))
      return c.html(body, 200, { 'Content-Security-Policy': policy })
    })
    .get('/sheet.pdf', query(sheetQuery), async (c) => {
      const file = await renderSheetPdf(await readSheet(c, c.req.valid('query')))
      return c.body(file, 200, {
        'Content-Type': 'application/pdf',
        'Content-Disposition': 'inline; filename="tags.pdf"',
      })
    })
}
