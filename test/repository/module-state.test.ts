import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { makeResettable } from '../support/make-resettable.ts'
import { findModuleState } from '../support/module-state.ts'
import { keptVariables, resetVariables } from '../support/module-variables.ts'

const cwd = resolve(import.meta.dirname, '../..')
const readSources = (pattern: string) =>
  new Map(
    globSync(pattern, { cwd })
      .sort()
      .map((file) => [file, readFileSync(resolve(cwd, file), 'utf8')]),
  )
/** Folders whose tests share a process. */
const folders = '{admin,app,bench,bulk,catalogue,checkout,client,platform,storefront,support,tenancy,tools,webhooks}'
const all = readSources(`{src,test/${folders}}/**/*.ts`)
const isTest = (file: string) => file.endsWith('.test.ts')
const modules = new Map([...all].filter(([file]) => !isTest(file)))
const tests = new Map([...all].filter(([file]) => isTest(file)))

test('each variable that outlives a test file is reset before the next one, or is kept for a reason', () => {
  expect([modules.size > 900, tests.size > 500]).toEqual([true, true])
  const listNames = (variables: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(variables).flatMap(([file, names]) => names.map((name) => `${file} ${name}`))
  const named = [...listNames(resetVariables), ...keptVariables.flatMap(({ variables }) => listNames(variables))]
  expect(new Set(named).size).toBe(named.length)
  expect(findModuleState(modules, tests).sort()).toEqual(named.sort())
})

const find = (source: string, ...users: string[]) =>
  findModuleState(new Map([['a.ts', source]]), new Map(users.map((user, index) => [`user${index}.ts`, user]))).map(
    (found) => found.slice('a.ts '.length),
  )

test.each([
  ['let last = 0', ['last']],
  ['export let venue: Venue', ['venue']],
  ['const cache = new Map<string, number>()', ['cache']],
  ['const cache = new ByteCache<number>(100)', ['cache']],
  ['const caches = { tags: new ByteCache<number>(100) }', ['caches']],
  ['const count = { sum: 0 }\nexport const add = () => { count.sum++ }', ['count']],
  ['const names = ["a"]\nexport function add(name: string) { names.push(name) }', ['names']],
  ['const known = { list: ["a"] }\nexport function add(name: string) { known.list.push(name) }', ['known']],
  ['const state = { a: 1 }\nexport const reset = () => Object.assign(state, { a: 0 })', ['state']],
  ['const form = /a/y\nexport const find = (text: string) => form.exec(text)', ['form']],
  ['export class Clock { static lastMs = 0 }', ['Clock.lastMs']],
  ['export const set = () => { globalThis.limit = 1 }', ['globalThis']],
  [
    'function once(build) { let built; return () => (built ??= build()) }\nexport const get = once(() => 1)',
    ['once()'],
  ],
])('%j has state', (source, names) => expect(find(source)).toEqual(names))

test.each([
  'const names = new Set(["a"])',
  'const byName = new Map<string, number>()\nfor (const name of names) byName.set(name, 1)',
  'const none: ReadonlyMap<string, number> = new Map()',
  'const count = { sum: 0 }\nexport const add = (count: { sum: number }) => { count.sum++ }',
  'const count = { sum: 0 }\nexport function add() { const count = { sum: 0 }; count.sum++ }',
  'const statements = { add: () => 1 }\nexport const run = () => statements.add()',
  'const form = /a/\nexport const find = (text: string) => form.exec(text)',
  'const marks = /a/g\nexport const clean = (text: string) => text.replace(marks, "")',
  'function once(build) { let built; return () => (built ??= build()) }\nexport const run = () => once(() => 1)',
])('%j has none', (source) => expect(find(source)).toEqual([]))

test('another module, such as a test, can change an object', () => {
  const source = 'export const bounds = { steps: 8 }'
  expect(find(source, "import { bounds as own } from './a.ts'\nown.steps = 1")).toEqual(['bounds'])
  expect(find(source, "import { bounds } from './a.ts'\nexport const steps = bounds.steps + 1")).toEqual([])
})

test('a reset sets variables to their first values, also those of several lines', () => {
  const source = 'export const a = new Map<string, number>()\nlet b: number | undefined\nconst c = {\n  d: 1,\n}'
  const lines = makeResettable(source, ['a', 'b', 'c']).split('\n')
  expect(lines.slice(0, 5)).toEqual(source.replaceAll('const', 'let  ').split('\n'))
  expect(lines.slice(5).join('\n')).toBe(
    ';(globalThis.moduleResets ??= new Set()).add(() => { a = new Map<string, number>(); b = undefined; c = {\n  d: 1,\n} })',
  )
  expect(() => makeResettable(source, ['e'])).toThrow('no variable e')
})
