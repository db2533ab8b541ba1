import { expect, test } from 'vitest'
import { scripts } from '../../package.json'
import text from '../../SECURITY.md?raw'

const tests = new Set(
  Object.keys(import.meta.glob('../**/*.test.ts')).map((path) =>
    new URL(path, 'file:///test/repository/').pathname.slice(1),
  ),
)

test('every named test exists', () => {
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name)
  expect(new Set(named).size).toBeGreaterThan(30)
  expect(named.filter((name) => !tests.has(name))).toEqual([])
})

test('every named command exists', () => {
  const named = [...text.matchAll(/`npm run (\w+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('each row of a table has a threat, a defence and a test', () => {
  const tables = [...text.matchAll(/^\| Threat.*\n(?:\|.*\n)+/gm)].map(([table]) => table)
  const rows = tables.flatMap((table) => table.split('\n').filter((line) => /^\| (?!Threat|-)/.test(line)))
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) expect(row).toMatch(/^\|[^|]{10,}\|[^|]{10,}\|.*`[\w/-]+\.test\.ts`.*\|$/)
})
