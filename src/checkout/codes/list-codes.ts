import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { readRows } from '../../platform/db/damaged-rows.ts'
import type { Database, Values } from '../../platform/db/database.ts'
import { withRawRows } from '../../platform/db/query.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { notFound } from '../../platform/errors.ts'
import { holdTexts } from '../../platform/http/bodies/leased-texts.ts'
import type { Env } from '../../platform/http/context.ts'
import { readPage } from '../../platform/http/keyset-list.ts'
import { nextLink } from '../../platform/http/pagination.ts'
import { logFailure } from '../../platform/lib/text-stream.ts'
import type { codeBatchView, codesQuery, codeView } from './code-request.ts'
import { codeStatements } from './code-statements.ts'

/** Codes of one page of a file. */
const fileRows = 2_500

const toCode = ({ code, state, redemption }: ReturnType<ReturnType<typeof codeStatements.page>['read']>) =>
  ({ code, state, redemption: redemption ?? undefined }) satisfies z.output<typeof codeView>

/** The batches of a coupon, oldest first. */
export async function listBatches(database: Database, scope: Scope, coupon: string) {
  const find = async () => {
    const values = { ...scope, coupon }
    const [[found], rows] = await database.run([codeStatements.totals(), values], [codeStatements.batches(), values])
    return found && rows
  }
  const rows = await database.findNamed(find)
  if (!rows) throw notFound()
  return rows.map(
    ({ id, count, prefix, createdAt }): z.output<typeof codeBatchView> => ({
      batch: id,
      count,
      prefix: prefix ?? undefined,
      createdAt,
    }),
  )
}

/** The lines of a batch as a CSV file. The characters of codes need no quotes. */
async function* toQuotedLines(database: Database, values: Values): AsyncGenerator<string, void, undefined> {
  yield 'code,state,redemption\r\n'
  const statement = codeStatements.page()
  let after = ''
  for (;;) {
    const [rows] = await database.run([withRawRows(statement), { ...values, after, rows: fileRows }])
    const codes = readRows(database, rows, statement.read).map(toCode)
    const lines = codes.map(({ code, state, redemption = '' }) => `${code},${state},${redemption}\r\n`)
    if (lines.length > 0) yield lines.join('')
    if (rows.length < fileRows) return
    after = String(rows.at(-1)?.['id'])
  }
}

/** Lists the codes of a batch: a page as JSON, or all as a CSV file. */
export async function listCodes(
  c: Context<Env>,
  coupon: string,
  { batch, format, limit, cursor }: z.output<typeof codesQuery>,
): Promise<Response> {
  const { database, scope } = c.var
  const values = { ...scope, coupon, batch }
  const find = async () => (await database.run([codeStatements.findBatch(), values]))[0][0]
  if (!(await database.findNamed(find))) throw notFound()
  if (format === 'csv') {
    const lines = logFailure(c.env, scope.merchantId, toQuotedLines(database, values))
    return c.body(await holdTexts(c, scope.merchantId, lines), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="codes-${batch}.csv"`,
    })
  }
  const list = JSON.stringify(['codes', scope.testMode, coupon, batch])
  const page = { limit, cursor, order: 'asc' } as const
  const { items, next } = await readPage(
    database,
    { asc: codeStatements.page, desc: codeStatements.page },
    list,
    values,
    page,
  )
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
  return c.json(items.map(toCode), 200)
}
