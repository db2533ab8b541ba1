import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { build, start } from '../../bench/platform.ts'
import { countCreatedAtStart } from '../../bench/startup.ts'

const folder = await mkdtemp(join(tmpdir(), 'start-'))
afterAll(() => rm(folder, { recursive: true }))

/** Limits of what an isolate creates before its first request. `schemas` includes the rules of schemas. */
const budgets = { schemas: 2_300, statements: 0 } as const

test('an isolate starts without what few requests need', async () => {
  const running = await start(await build('bench/counter.ts'), folder)
  const { schemas, statements } = await countCreatedAtStart(running)
  await running.stop()
  expect(schemas).toBeLessThanOrEqual(budgets.schemas)
  // Proves that the count sees schemas.
  expect(schemas).toBeGreaterThan(500)
  expect(statements).toBe(budgets.statements)
})
