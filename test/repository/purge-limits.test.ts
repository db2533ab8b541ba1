import { expect, test } from 'vitest'
import reliability from '../../docs/reliability.md?raw'
import webhooks from '../../docs/webhooks.md?raw'
import { purgeBounds } from '../../src/app/maintenance/purges.ts'
import { retainedTables } from '../../src/app/maintenance/retained-tables.ts'

const { rows, rounds, ms } = purgeBounds
const show = (count: number) => count.toLocaleString('en')
const toLine = (page: string) => page.replaceAll(/\s+/g, ' ')

test('the pages have the limits of a purge', () => {
  const ofTable = `up to ${show(rows * rounds)} rows of each table`
  expect(toLine(reliability)).toContain(ofTable)
  expect(toLine(webhooks)).toContain(ofTable)
  expect(toLine(webhooks)).toContain(`${show(rows)} in a statement`)
  expect(toLine(webhooks)).toContain(`at most ${rounds} such statements for each table`)
  const [, total = ''] = /\((\d+) for all\)/.exec(toLine(webhooks)) ?? []
  expect(Math.floor(Number(total) / retainedTables.length)).toBe(rounds)
  expect(toLine(webhooks)).toContain(`starts none after ${ms / 1000} seconds`)
})
