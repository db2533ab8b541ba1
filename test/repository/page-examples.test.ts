import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  allEntries,
  classify,
  findExamples,
  notRun,
  pageExamples,
  printed,
  runElsewhere,
} from '../support/page-examples.ts'

const cwd = resolve(import.meta.dirname, '../..')
const classified = pageExamples.map((example) => ({ example, ...classify(example) }))

test('finds blocks whatever their fence and indent', () => {
  const source = 'a\n```sh\nls\n```\n  ```json\n  {}\n  ```\n````\n```sh\nx\n```\n````\n~~~ts\n1\n~~~\n'
  const found = findExamples('a.md', source).map(({ language, text }) => [language, text])
  expect(found).toEqual([
    ['sh', 'ls'],
    ['json', '{}'],
    ['', '```sh\nx\n```'],
    ['ts', '1'],
  ])
  expect(() => findExamples('a.md', '```sh\nls\n')).toThrow('not closed')
})

test('every block of the documentation is run, shown or an exception', () => {
  expect(pageExamples.length).toBeGreaterThan(80)
  // These are the languages that test/e2e/page-examples.test.ts runs.
  const unknown = classified.filter(
    ({ kind, example }) => kind === 'run' && !['sh', 'json', 'ts'].includes(example.language),
  )
  expect(unknown.map(({ example }) => example.name)).toEqual([])
  const counts = Object.groupBy(classified, ({ kind }) => kind)
  expect(counts.run?.length).toBeGreaterThan(50)
  expect(Object.keys(notRun).length).toBeLessThanOrEqual(12)
})

test('every page whose commands are run says what they print', () => {
  const commands = classified.filter(({ kind, example }) => kind === 'run' && example.language === 'sh')
  expect([...new Set(commands.map(({ example }) => example.page))].sort()).toEqual(Object.keys(printed).sort())
})

test('every entry of the lists names a block, and every test that it names exists', () => {
  const used = new Set(classified.flatMap(({ kind, entry }) => (entry === undefined ? [] : [`${kind} ${entry}`])))
  const listed = Object.entries(allEntries).flatMap(([kind, entries]) => entries.map((entry) => `${kind} ${entry}`))
  expect(listed.filter((entry) => !used.has(entry))).toEqual([])
  for (const file of Object.values(runElsewhere)) expect([file, existsSync(resolve(cwd, file))]).toEqual([file, true])
})

test('what pages show as JSON can be read as JSON', () => {
  for (const { example, kind } of classified) {
    if (kind !== 'shown' || example.language !== 'json') continue
    const whole = example.text.replace(/,\s*…|…\s*,/g, '').replace(/(?<=[{[])\s*…\s*(?=[}\]])/g, '')
    const isLines = example.name.includes('{"export":')
    for (const text of isLines ? whole.split('\n') : [whole]) {
      expect([example.name, JSON.parse(text)]).toEqual([example.name, expect.any(Object)])
    }
  }
})
