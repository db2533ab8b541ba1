import { type Context, Hono } from 'hono'
import { getRenderContext } from '../../catalogue/resource/caller.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { invalidParameter } from '../../platform/http/pagination.ts'
import { otherMethods } from '../../platform/http/paths.ts'
import { readPublicUrl } from '../../platform/http/public-url.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { query } from '../../platform/http/validation.ts'
import { expiredLinkPage, privateHeaders, unavailablePage, unknownPage } from '../pages/error-pages.ts'
import { requireBaseUrl } from '../qr/qr-routes.ts'
import type { SheetContent } from './cards.ts'
import { createSheetLink, type LinkedSheet, readSheetLink, toIdEnds } from './sheet-link.ts'
import { chooseLayout, type SheetQuery, sheetLinkFields, sheetLinkRules, sheetQuery } from './sheet-parameters.ts'

const layoutMessage = 'is not the paper of this layout'

const getOmittedHeader = ({ omitted }: SheetContent) => ({ 'Tags-Omitted': `${omitted}` })

/** Responds with a sheet as a page, or as a PDF. */
const renderers = {
  async html(c: Context<Env>, sheet: SheetContent, headers: Record<string, string> = {}) {
    const { renderSheetHtml } = await import('./sheet-html.ts')
    const { body, policy } = await renderSheetHtml(sheet)
    return c.html(body, 200, { ...headers, ...getOmittedHeader(sheet), 'Content-Security-Policy': policy })
  },
  async pdf(c: Context<Env>, sheet: SheetContent, headers: Record<string, string> = {}) {
    const [{ renderSheetPdf }, { readFontPacks }, { readLogo }] = await Promise.all([
      import('./sheet-pdf.ts'),
      import('./scripts/font-pack.ts'),
      import('./logo/pdf-logo.ts'),
    ])
    const logo = await readLogo(c.env, sheet.logo)
    const file = await renderSheetPdf(sheet, (texts) => readFontPacks(c.env, texts), logo)
    return c.body(file, 200, {
      ...headers,
      ...getOmittedHeader(sheet),
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'inline; filename="tags.pdf"',
    })
  },
} as const

/** Returns the sheet for a request with an API key. */
async function readRequestedSheet(c: Context<Env>, parameters: SheetQuery): Promise<SheetContent> {
  const { format: _format, layout: _layout, text, skip, ...selection } = parameters
  const look = chooseLayout(parameters)
  if (!look) throw invalidParameter('format', 'invalid_value', layoutMessage)
  const { database, scope } = c.var
  const { readSheet } = await import('./read-sheet.ts')
  const sheet = await readSheet(c.env, database, { scope, selection, text, skip, ...look }, requireBaseUrl(c))
  // The key was accepted, so the merchant was deleted during the request.
  if (!sheet) throw new ApiError('not_found', 'The merchant does not exist.')
  return sheet
}

/** Routes of sheets, relative to the path of tags: HTML, PDF, and links to both. */
export const sheetRoutes = new Hono<Env>()
  .get('/sheet', query(sheetQuery), async (c) => renderers.html(c, await readRequestedSheet(c, c.req.valid('query'))))
  .get('/sheet.pdf', query(sheetQuery), async (c) =>
    renderers.pdf(c, await readRequestedSheet(c, c.req.valid('query'))),
  )
  .post('/sheet-link', jsonBody(sheetLinkRules), async (c) => {
    const { patch, issues } = c.req.valid('json')
    if (issues.length > 0) throw invalid(issues)
    const { ids, area, nfc, testMode, q, text, skip, ...wanted } = sheetLinkFields.parse(patch)
    const look = chooseLayout(wanted)
    if (!look) throw invalid([{ pointer: '/format', code: 'invalid_value', message: layoutMessage }])
    const { baseUrl } = getRenderContext(c)
    if (baseUrl === undefined)
      throw new ApiError('conflict', 'No public URL is configured, so there is no URL for a QR code.')
    const { database, scope } = c.var
    const { findIds } = await import('./select-tags.ts')
    const selection = {
      idEnds: ids ? toIdEnds(await findIds(database, scope, ids)) : undefined,
      area: area ?? undefined,
      nfc: nfc ?? undefined,
      testMode: testMode ?? undefined,
      q: q ?? undefined,
    }
    const shown = { text: text ?? undefined, skip: skip ?? undefined, ...look }
    const link = await createSheetLink(c.env, { scope, selection, ...shown })
    const { path, search, expiresAt } = link
    const url = `${baseUrl}${path}`
    return c.json({ url: `${url}${search}`, pdfUrl: `${url}/tags.pdf${search}`, expiresAt }, 201)
  })
  .all('/sheet', otherMethods)
  .all('/sheet.pdf', otherMethods)
  .all('/sheet-link', otherMethods)

/** Responds to a link. It works without an API key. An invalid link is rejected before any read. */
const openSheet =
  (format: keyof typeof renderers) =>
  async (c: Context<Env>): Promise<Response> => {
    if (readPublicUrl(c.env).issue !== undefined) return unavailablePage(c)
    const { expires = '', seal = '' } = c.req.param()
    const { baseUrl } = getRenderContext(c)
    const content = c.req.query('s') ?? ''
    const link: LinkedSheet | 'expired' | 'invalid' = await readSheetLink(c.env, { content, expires, seal })
    if (link === 'expired') return expiredLinkPage(c)
    if (link === 'invalid' || baseUrl === undefined) return unknownPage(c)
    const { merchantId } = link.scope
    const { readSheet } = await import('./read-sheet.ts')
    const sheet = await readSheet(c.env, merchantDatabase(c.env, { merchantId, home: undefined }), link, baseUrl)
    return sheet ? renderers[format](c, sheet, privateHeaders) : unknownPage(c)
  }

/** Sheets behind signed links. */
export const linkedSheetRoutes = new Hono<Env>()
  .get('/sheet/:expires/:seal', openSheet('html'))
  .get('/sheet/:expires/:seal/tags.pdf', openSheet('pdf'))
