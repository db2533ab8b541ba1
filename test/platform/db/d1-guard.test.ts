import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { findLargeRows, takeViolations } from '../../support/d1-guard.ts'
import { d1Limits } from '../../support/d1-limits.ts'

const list = (length: number, element = '1') => Array.from({ length }, () => element).join(', ')
const run = async (sql: string, ...values: unknown[]) => {
  await env.DB.prepare(sql)
    .bind(...values)
    .all()
    .catch(() => undefined)
  return takeViolations()
}
const inSession = async (sql: string, ...values: unknown[]) => {
  const session = env.DB.withSession()
  await session.batch([session.prepare(sql).bind(...values)]).catch(() => undefined)
  return takeViolations()
}

describe.each([
  ['a statement', run],
  ['a session', inSession],
])('the guard of D1 looks at %s:', (_, sendRequest) => {
  test('arguments of functions, at every position', async () => {
    const { functionArguments: most } = d1Limits
    expect(await sendRequest(`select json_array(${list(most)}), '(,,' as "x(,"`)).toEqual([])
    expect(await sendRequest(`select json_array(${list(most + 1)})`)).toEqual([expect.stringContaining('33 arguments')])
    const nested = `select (select max(length(json_array(${list(most + 1, "'a, b'")})), 2)) -- f(1`
    expect(await sendRequest(nested)).toEqual([expect.stringContaining('json_array() with 33')])
    // Not calls: lists of values and columns.
    expect(await sendRequest(`select 1 where 1 in (${list(60)})`)).toEqual([])
    expect(
      await sendRequest(
        `with t(${Array.from({ length: 40 }, (_, n) => `c${n}`)}) as (select ${list(40)}) select * from t`,
      ),
    ).toEqual([])
  })

  test('parameters', async () => {
    const values = (length: number) => Array.from({ length }, () => 1)
    expect(await sendRequest(`select 1 where 1 in (${list(100, '?')})`, ...values(100))).toEqual([])
    expect(await sendRequest(`select 1 where 1 in (${list(101, '?')})`, ...values(101))).toEqual([
      expect.stringContaining('101 parameters'),
    ])
  })

  test('the text of the statement', async () => {
    const sql = (bytes: number) => `select 1 --${'é'.repeat(10)}`.padEnd(bytes - 10, 'x')
    expect(await sendRequest(sql(d1Limits.sqlBytes))).toEqual([])
    expect(await sendRequest(sql(d1Limits.sqlBytes + 1))).toEqual([expect.stringContaining('100001 bytes')])
  })

  test('values that are bound', async () => {
    const text = (bytes: number) => 'é'.repeat(bytes / 2)
    expect(await sendRequest('select length(?)', text(d1Limits.valueBytes))).toEqual([])
    expect(await sendRequest('select length(?)', text(d1Limits.valueBytes + 2))).toEqual([
      expect.stringContaining('2000002 bytes'),
    ])
    expect(await sendRequest('select length(?)', new ArrayBuffer(d1Limits.valueBytes + 1))).toHaveLength(1)
  })

  test('patterns of LIKE and GLOB, written or bound', async () => {
    const [fits, long] = ['é'.repeat(25), 'é'.repeat(26)]
    for (const operator of ['like', 'GLOB']) {
      expect(await sendRequest(`select 1 where 'a' ${operator} '${fits}'`)).toEqual([])
      expect(await sendRequest(`select 1 where 'a' ${operator} '${long}'`)).toHaveLength(1)
      expect(await sendRequest(`select ? where 'a' ${operator} ?`, long, fits)).toEqual([])
      expect(await sendRequest(`select ? where 'a' ${operator} ?`, fits, long)).toHaveLength(1)
    }
  })
})

test('the guard of D1 finds rows that are too large, though each value fits', async () => {
  const insert = (bytes: number) =>
    env.DB.prepare(
      `insert into events (merchant_id, test_mode, id, seq, type, version, at, row, payload) values ('m', 0, 'e', 1, 't', 1, 1, ?, ?)
       on conflict do update set row = excluded.row, payload = excluded.payload`,
    )
      .bind('x'.repeat(bytes / 2), 'x'.repeat(bytes / 2))
      .run()
  // The other columns take seven bytes.
  await insert(d1Limits.valueBytes - 8)
  expect(await findLargeRows()).toEqual([])
  await insert(d1Limits.valueBytes)
  expect(await findLargeRows()).toEqual([expect.stringMatching(/^a row of events with 20000\d\d bytes$/)])
  await env.DB.prepare('delete from events').run()
})

describe('the guard of D1 counts the queries of an invocation', () => {
  /** The service with a database that runs a number of statements before each call. */
  async function sendRequest(queries: number) {
    const all = Array.from({ length: queries - 1 }, () => env.DB.prepare('select 1'))
    const database: D1Database = Object.assign(Object.create(null), {
      withSession() {
        const session = env.DB.withSession()
        return {
          prepare: (sql: string) => {
            const statement = session.prepare(sql)
            const all_ = statement.all.bind(statement)
            return Object.assign(statement, {
              bind: () => statement,
              all: async () => {
                await env.DB.batch(all)
                return all_()
              },
            })
          },
          getBookmark: () => null,
        }
      },
    })
    const request = new Request('https://api.test/health')
    await app.fetch(request, { ...env, DB: database }, createExecutionContext())
    return takeViolations()
  }

  test('and finds the one that is too many, in one invocation and not in two', async () => {
    expect(await sendRequest(d1Limits.queriesPerInvocation)).toEqual([])
    expect(await sendRequest(d1Limits.queriesPerInvocation)).toEqual([])
    expect(await sendRequest(d1Limits.queriesPerInvocation + 1)).toEqual([
      expect.stringContaining('more than 1000 queries'),
    ])
  })
})
