import { expect, test } from 'vitest'
import { createDayTable, listDifferences, readDay } from '../../bench/scale/day.ts'
import { createLimits, createMonths } from '../../bench/scale/project.ts'
import page from '../../docs/scale.md?raw'
import readme from '../../README.md?raw'

/** Each table of the page is what `npm run bench:scale` prints for the day on the page. */
test.each([
  ['a day', createDayTable],
  ['months in the shared database', (day: ReturnType<typeof readDay>) => createMonths(day, 'd1')],
  ['months in objects', (day: ReturnType<typeof readDay>) => createMonths(day, 'object')],
  ['limits', createLimits],
])('the page about scale has the table of %s that follows from its day', (_, create) => {
  const table = create(readDay(page))
  expect(table.split('\n').length).toBeGreaterThan(4)
  expect(page).toContain(table)
})

test('a count that the command contradicts is named', () => {
  const day = readDay(page)
  expect(listDifferences(day, day)).toEqual([])
  const { counts } = day
  const more = { ...day, counts: { ...counts, rowsWritten: counts.rowsWritten + 500 } }
  expect(listDifferences(day, more)).toEqual([expect.stringMatching(/^rows written: [\d,]+, measured [\d,]+$/)])
  expect(() => readDay('| requests | 6,800 |')).toThrow('transactions')
})

test('the README has the price of the page', () => {
  const [, ofPage] = /^\| 10,000 \|(?:[^|]+\|){6} ([\d.]+) \|/m.exec(page) ?? []
  const [, ofReadme] = /\$([\d.]+) a month for each venue with 300 orders and 3,000 scans/.exec(readme) ?? []
  expect(ofPage).toMatch(/^\d\.\d\d$/)
  expect(ofReadme).toBe(ofPage)
})
