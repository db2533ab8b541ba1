import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

/** Maximum number of files of `src` whose code a warm request runs, the work behind its response included: a scan is counted there. A change that needs more raises them, and its commit says why. */
const limits: Readonly<Record<string, number>> = { create: 36, update: 38, scan: 14 }

const project = resolve(import.meta.dirname, '../..')
// A process of its own: V8 counts the calls of the sources themselves, which vitest would replace.
const output = execFileSync(process.execPath, ['-r', './tools/cli/preflight.cjs', 'test/path.ts', '--json'], {
  cwd: project,
  encoding: 'utf8',
})
const paths = new Map<string, readonly string[]>(Object.entries(JSON.parse(output)))
const pathOf = (name: string) => paths.get(name) ?? []

test.each(Object.entries(limits))('a warm %s passes at most %i files', (name, limit) => {
  expect(pathOf(name).slice(limit)).toEqual([])
})

test('the paths are those of the requests', () => {
  const operation = 'catalogue/resource/store/'
  expect(pathOf('create').filter((file) => file.startsWith(operation))).toEqual([
    `${operation}create.ts`,
    `${operation}store.ts`,
  ])
  expect(pathOf('update').filter((file) => file.startsWith(operation))).toEqual([
    `${operation}store.ts`,
    `${operation}update.ts`,
  ])
  expect(pathOf('scan')).toContain('storefront/tags/redirect-routes.ts')
})

test('the guide for contributors has the numbers of files and their limits', () => {
  const guide = readFileSync(resolve(project, 'CONTRIBUTING.md'), 'utf8')
  const numbers = Object.keys(limits).map((name) => pathOf(name).length)
  expect(guide).toContain(`a scan run | ${numbers.join(', ')} | ${Object.values(limits).join(', ')} |`)
})

test('the section "What a create passes" names files of the path, and all of the catalogue', () => {
  const page = readFileSync(resolve(project, 'docs/architecture.md'), 'utf8')
  const [, section = ''] = /^### What a create passes\n([\s\S]*?)\n## /m.exec(page) ?? []
  const steps = Array.from(section.matchAll(/^\|.*$/gm), ([line]) => line).flatMap((line) =>
    Array.from(line.matchAll(/`([\w/-]+\.ts)`/g), ([, file = '']) => file),
  )
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.filter((file) => !pathOf('create').includes(file))).toEqual([])
  const catalogue = pathOf('create').filter((file) => file.startsWith('catalogue/'))
  expect(catalogue.filter((file) => !section.includes(file.replace('catalogue/', '')))).toEqual([])
  expect(section).toContain(`functions of ${pathOf('create').length} files`)
})
