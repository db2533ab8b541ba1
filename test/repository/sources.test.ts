import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const cwd = resolve(import.meta.dirname, '../..')
const generated = ['packages/client/src/models.ts', 'packages/client/src/collections.ts']
const files = globSync(['{src,tools}/**/*.ts', 'console/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'], { cwd }).map(
  (file) => ({
    file,
    source: readFileSync(resolve(cwd, file), 'utf8'),
  }),
)

/** The nodes of a tree of syntax, each with its own fields. */
function* walk(node: unknown): Generator<{ type: string; start: number; typeAnnotation?: unknown }> {
  if (typeof node !== 'object' || node === null) return
  if ('type' in node && typeof node.type === 'string' && 'start' in node && typeof node.start === 'number')
    yield { type: node.type, start: node.start, typeAnnotation: 'typeAnnotation' in node && node.typeAnnotation }
  for (const part of Object.values(node)) yield* walk(part)
}
/** Lines that may have such a place. Only files with one are parsed, because parsing all takes seconds. */
const suspicious = /^(?!import|export \*|\s*(?:\*|\/[/*])).*(?:\bany\b|\bas (?!const\b)|[\w)\]]!(?!=)|<\w+>\w)/m

/** Whether a node makes the compiler accept a type that it has not checked. `as const` does not. */
const isUnchecked = ({ type, typeAnnotation }: { type: string; typeAnnotation?: unknown }) =>
  type === 'TSAnyKeyword' ||
  type === 'TSNonNullExpression' ||
  type === 'TSTypeAssertion' ||
  (type === 'TSAsExpression' && !JSON.stringify(typeAnnotation).includes('"name":"const"'))

/** The places of `any`, casts and `!` in a file. */
const uncheckedIn = (file: string, source: string) =>
  !suspicious.test(source)
    ? []
    : [...walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))]
        .filter(isUnchecked)
        .map(({ start }) => `${file}:${source.slice(0, start).split('\n').length}`)

test('finds casts, `any` and `!`', () => {
  const count = (source: string) => uncheckedIn('a.ts', source).length
  expect(count('const a = b as string')).toBe(1)
  expect(count('const a = <string>b')).toBe(1)
  expect(count('const a: any = b')).toBe(1)
  expect(count('const a = b!.c')).toBe(1)
  expect(count("import { a as b } from './c.ts'\nconst d = ['any! as e', !f] as const")).toBe(0)
})

test('no code has a cast, `any` or `!`', { timeout: 60_000 }, () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap(({ file, source }) => uncheckedIn(file, source))).toEqual([])
})

test('no code has a directive that silences the compiler', () =>
  expect(files.filter(({ source }) => /@ts-(?:ignore|expect-error|nocheck)/.test(source))).toEqual([]))

const isLong = (source: string) => source.split('\n').length - 1 > 250

test('docs/architecture.md names every folder of the sources', () => {
  const [, tree = ''] = readFileSync(resolve(cwd, 'docs/architecture.md'), 'utf8').split('```')
  const folders = new Set(files.map(({ file }) => dirname(file)).filter((folder) => /^(?:src|console)\//.test(folder)))
  expect(folders.size).toBeGreaterThan(60)
  const isNamed = (folder: string) => tree.includes(`${basename(folder)}/`) || dirname(folder) === 'console/screens'
  expect([...folders].filter((folder) => !isNamed(folder))).toEqual([])
})

test('a test has at most 250 lines', () => {
  const tests = globSync('test/**/*.ts', { cwd, exclude: ['**/node_modules'] })
  expect(tests.length).toBeGreaterThan(300)
  expect(tests.filter((file) => isLong(readFileSync(resolve(cwd, file), 'utf8')))).toEqual([])
})

test('a file has at most 250 lines, a folder at most 15 files', () => {
  expect(
    files.filter(({ file, source }) => !generated.includes(file) && isLong(source)).map(({ file }) => file),
  ).toEqual([])
  const inSources = globSync(['{src,tools}/**/*.*', 'console/**/*.*', 'packages/*/src/**/*.*'], { cwd })
  const folders = Map.groupBy(inSources, (file) => dirname(file))
  expect([...folders].filter(([, inside]) => inside.length > 15).map(([folder]) => folder)).toEqual([])
})
