import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import operations from '../../../docs/operations.md?raw'
import { plansOf } from '../../support/d1.ts'
import { createFilled } from '../../support/filled-home.ts'

/** A statement that a sweep runs each minute. */
const sweep = `select id from imports where state in ('uploading', 'checking', 'applying') and updated_at <= ? limit ?`
const planSweep = async () => (await plansOf([sweep]))[0]?.join()
const run = (sql: string) => env.DB.prepare(sql).run()

test('statistics of small tables make a sweep read a whole table, until the documented command removes them', async () => {
  await createFilled('d1', 2)
  expect(await planSweep()).toMatch(/^SEARCH imports USING/)
  await run('analyze')
  // One row in each table, and one for each value of each column of an index.
  const columns = `length(stat) - length(replace(stat, ' ', ''))`
  await run(`update sqlite_stat1 set stat = '1' || replace(hex(zeroblob(${columns})), '00', ' 1')`)
  await run('analyze sqlite_schema')
  expect(await planSweep()).toBe('SCAN imports')
  const [, command = ''] = /wrangler d1 execute DB --remote --command "([^"]*sqlite_stat1[^"]*)"/.exec(operations) ?? []
  expect(command).not.toBe('')
  for (const sql of command.split('; ')) await run(sql)
  expect(await planSweep()).toMatch(/^SEARCH imports USING/)
})
