import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import type { Env } from '../../../platform/http/context.ts'
import { query } from '../../../platform/http/validation.ts'
import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import { pageLanguages } from '../../../storefront/pages/messages.ts'
import { toCsvLine } from '../../csv/cells.ts'
import { contentTypes } from '../../export/export-query.ts'
import {
  listAnswers,
  listTemplateHeadings,
  templateFields,
  templateResources,
} from '../../files/templates/template-headings.ts'

/** Query of a template. */
export const templateQuery = z.strictObject({
  resource: z
    .enum(templateResources, { error: `must be one of ${templateResources.join(', ')}` })
    .check(z.describe('Resource of the objects.')),
  language: z
    .optional(z.enum(pageLanguages, { error: `must be one of ${pageLanguages.join(', ')}` }))
    .check(z.describe('Language of the headings. Default: `en`.')),
  format: z
    .optional(z.enum(['xlsx', 'csv'], { error: 'must be xlsx or csv' }))
    .check(z.describe('Format of the file. Default: `xlsx`.')),
})

/** Returns an empty table with the headings that `mapping=auto` recognizes. */
export const templateRoutes = new Hono<Env>().get('/template', query(templateQuery), async (c) => {
  const { resource, language = 'en', format = 'xlsx' } = c.req.valid('query')
  requireScopes(c.var.grantedScopes, [`${resource}:read`])
  const headings = listTemplateHeadings(resource, language)
  const headers = {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${resource}-${language}.${format}"`,
  }
  if (format === 'csv') return c.body(toCsvLine(headings), 200, headers)
  const { writeXlsx } = await import('../../export/xlsx-writer.ts')
  const fields: readonly string[] = templateFields[resource]
  const flag = fields.indexOf('visible')
  const choices = new Map(flag === -1 ? [] : [[flag, listAnswers(language)] as const])
  const parts: Uint8Array[] = []
  for await (const part of writeXlsx([{ name: resource, headings, rows: [], choices }])) parts.push(part)
  return c.body(concatenate(parts), 200, headers)
})
