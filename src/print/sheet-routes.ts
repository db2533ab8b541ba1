import { sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { compile, lazy, param } from '../db/database.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import type { Env } from '../http/context.ts'
import { booleanFilter, listFields, nextLink, pageSize } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import { requireBaseUrl } from '../qr/qr-routes.ts'
import { createSession } from '../resource/session.ts'
import { createStore, type StoreDependencies } from '../resource/store.ts'
import { tags } from '../resources/registry.ts'
import { createCard, type Sheet } from './layout.ts'
import { renderSheetHtml } from './sheet-html.ts'
import { renderSheetPdf } from './sheet-pdf.ts'

/** The parameters of a sheet: those of the list of tags, and how they are printed. */
export const sheetQuery = z.strictObject({
  ...listFields,
  limit: listFields.limit.check(z.describe(`Tags on a sheet: 1 to ${pageSize.max}, by default ${pageSize.max}.`)),
  nfc: booleanFilter,
  testMode: booleanFilter,
  format: z.optional(z.enum(['a4', 'letter'])).check(z.describe('Paper, by default `a4`.')),
  layout: z
    .optional(z.enum(['tents', 'stickers']))
    .check(z.describe('Stickers, the default, or tents to stand on tables.')),
})

const venueNameStatement = lazy(() =>
  compile(sql`select ${merchantTable.name} from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')}`),
)

/** Tags to print, under the path of tags: as a page, and as a PDF. */
export function createSheetRoutes(dependencies: StoreDependencies) {
  const store = createStore(tags, dependencies)

  async function readSheet(c: Context<Env>, wanted: z.output<typeof sheetQuery>): Promise<Sheet> {
    const { format = 'a4', layout = 'stickers', limit = pageSize.max, ...selection } = wanted
    const baseUrl = requireBaseUrl(c)
    const { database, scope } = c.var
    const [{ items, next }, [rows = []]] = await Promise.all([
      store.list(createSession(c), { ...selection, limit }, (tag) => tag),
      database.run([venueNameStatement(), { merchantId: scope.merchantId }]),
    ])
    if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
    return {
      venue: String(rows[0]?.['name'] ?? ''),
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
