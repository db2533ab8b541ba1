import { Hono } from 'hono'
import * as z from 'zod/mini'
import { DamagedError, readRows } from '../db/damaged-rows.ts'
import { type Issue, invalid, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { query } from '../http/validation.ts'
import { toLocalDay } from '../lib/local-day.ts'
import { channels } from '../messages.ts'
import { statements } from './scan-consumer.ts'

/** Most days that one question may span. */
export const maxDays = 366
const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text

const day = z.optional(
  z.string({ error: 'must be given once' }).check(z.refine(isDay, { error: 'must be a day as YYYY-MM-DD' })),
)
export const countsQuery = z.strictObject({ from: day, to: day })
export const countView = z.object({ day: z.string(), channel: z.enum(channels), count: z.int() })
const dayMs = 86400000
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** How often a tag was scanned, by day and channel. */
export const scanRoutes = new Hono<Env>().get('/:id/scans', query(countsQuery), async (c) => {
  const { merchantId, testMode } = c.var.scope
  const asked = c.req.valid('query')
  const values = { merchantId, id: c.req.param('id'), testMode: testMode ? 1 : 0 }
  const [[venue] = []] = await c.var.database.run([statements.tag(), values])
  if (!venue) throw notFound()
  const to = asked.to ?? toLocalDay(Date.now(), String(venue['timezone']))
  const from = asked.from ?? shiftDay(to, -29)
  const issue = (message: string): Issue => ({ parameter: 'from', code: 'invalid_value', message })
  if (from > to) throw invalid([issue('must not be behind to')])
  if (from < shiftDay(to, 1 - maxDays)) throw invalid([issue(`must be within ${maxDays} days of to`)])
  const [rows = []] = await c.var.database.run([statements.counts(), { ...values, from, to }])
  return c.json(
    readRows(c.var.database, rows, (counted) => {
      const { data, error } = countView.safeParse(counted)
      if (data) return data
      const fields = [...new Set(error.issues.map(({ path: [column] }) => String(column)))]
      const id = `${values.id} ${String(counted['day'])} ${String(counted['channel'])}`
      throw new DamagedError({ table: 'scan_counts', id, merchantId, fields })
    }),
    200,
  )
})
