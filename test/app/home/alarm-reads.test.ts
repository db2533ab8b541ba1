import { expect, test } from 'vitest'
import { createFilled } from '../../support/filled-home.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { countObjectRows } from '../../support/object-rows.ts'

/** Rounds of rows that the merchants have. */
const sizes = [10, 20, 40]

test('an alarm with nothing to do reads the same few rows, whatever is stored', async () => {
  const costs: number[] = []
  for (const size of sizes) {
    const { id } = await createFilled('object', size)
    // The first alarm purges what the filled rows leave.
    for (let n = 0; n < 3; n++) await ringAlarm(id)
    expect(await queryHome(id, 'select count(*) as n from products')).toEqual([{ n: 3 * size + 1 }])
    costs.push(await countObjectRows(id, () => ringAlarm(id)))
  }
  console.log(
    `figure: rows read by an alarm of an object with nothing to do, ${sizes.map((size) => 3 * size)} rows of each table: ${costs}`,
  )
  expect(Math.max(...costs)).toBeLessThanOrEqual(65)
  expect(new Set(costs).size).toBe(1)
})
