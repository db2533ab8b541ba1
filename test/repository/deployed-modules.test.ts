import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { findLazyGroup } from '../../tools/cli/build/lazy-groups.ts'
import { buildWorker, documentFiles, findStartModules, listEvaluated } from '../../tools/cli/build/worker.ts'

const project = resolve(import.meta.dirname, '../..')
const sourceMap = z.object({ sources: z.array(z.string()) })

const built = await buildWorker()
const modules = built.filter(({ name }) => name.endsWith('.mjs'))

/** The source files of some modules, by their source maps. */
const listSources = (names: readonly string[]) =>
  built
    .filter(({ name }) => names.some((module) => name === `${module}.map`))
    .flatMap(({ contents }) => sourceMap.parse(JSON.parse(contents)).sources)
    .map((source) => relative(project, resolve(project, 'dist/worker', source)))

/** The groups of the code that an isolate evaluates with the group of this name, besides the code of its start. */
function listLoadedGroups(group: string) {
  const start = findStartModules(modules)
  const entry = modules.find(({ name }) => name.startsWith(`${group}-`))
  const loaded = listEvaluated(modules, entry?.name ?? '').filter((module) => !start.includes(module))
  const files = listSources(loaded.map(({ name }) => name)).filter((file) => file.startsWith('src/'))
  return [...new Set(files.map(findLazyGroup))].toSorted()
}

test('the Worker consists of few modules', () => {
  expect(modules.length).toBeGreaterThan(10)
  expect(modules.length).toBeLessThanOrEqual(36)
})

test('an isolate starts with little code, and a deployed one with less', async () => {
  const getSize = (all: typeof modules) =>
    findStartModules(all).reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  const deployed = await buildWorker(undefined, true)
  console.log(`figure: code that starts with an isolate, ${getSize(deployed).toLocaleString('en')} bytes gzip`)
  expect(getSize(modules)).toBeLessThanOrEqual(114_300)
  expect(getSize(deployed.filter(({ name }) => name.endsWith('.mjs')))).toBeLessThanOrEqual(110_000)
  expect(deployed.map(({ name }) => name)).toEqual(built.map(({ name }) => name))
})

test('frequent requests load no group that they do not need', () => {
  const groups = ['small', 'details', 'pages', 'tags', 'menu', 'checkout', 'events', 'webhooks', 'pictures', 'print']
  expect(Object.fromEntries(groups.map((group) => [group, listLoadedGroups(group)]))).toEqual({
    small: ['small'],
    details: ['base', 'details'],
    pages: ['base', 'pages', 'small'],
    tags: ['base', 'small', 'tags'],
    menu: ['base', 'details', 'menu', 'pages', 'small'],
    checkout: ['base', 'checkout', 'details'],
    events: ['base', 'events'],
    webhooks: ['base', 'webhooks'],
    pictures: ['base', 'pictures', 'small'],
    print: ['base', 'pages', 'pictures', 'print', 'small'],
  })
})

test('the deployed Worker contains no operations of the OpenAPI document', () => {
  const deployed = listSources(modules.map(({ name }) => name))
  expect(deployed.filter((file) => file.startsWith('src/')).length).toBeGreaterThan(300)
  expect(deployed).toContain('src/index.ts')
  expect(deployed.filter((file) => documentFiles.test(`/${file}`))).toEqual([])
})

test('a build fails that would deploy operations, or what they share', async () => {
  const files = globSync('src/**/*.ts', { cwd: project }).filter((file) => documentFiles.test(`/${file}`))
  expect(files.length).toBeGreaterThan(30)
  // The others import these.
  for (const file of ['src/admin/audit.operations.ts', 'src/platform/http/openapi/examples.ts']) {
    expect(files).toContain(file)
    await expect(buildWorker(resolve(project, file))).rejects.toThrow('must not be deployed')
  }
})
