import { expect, test } from 'vitest'
import { migrationCount } from '../../../src/app/home/migration-count.ts'
import { migrations } from '../../../src/app/home/migration-texts.ts'

const files = import.meta.glob<string>('../../../migrations/*.sql', { query: '?raw', import: 'default', eager: true })

test('objects apply the migrations of the shared database, in their order', () => {
  const names = Object.keys(files).sort()
  expect(names.length).toBeGreaterThan(15)
  expect(migrations).toEqual(names.map((name) => files[name]))
  expect(migrationCount).toBe(names.length)
})
