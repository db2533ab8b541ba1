import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'

const cwd = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(cwd, file), 'utf8')
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
/** Folders that a name in a guide begins with. */
const folders = /^(?:src|tools|test|docs|bench|examples|migrations|\.github|\.ci|\.devcontainer)(?:\/|$)/

describe.each(['CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', '.github/pull_request_template.md'])('%s', (guide) => {
  const text = read(guide)

  test('names files that exist', () => {
    const names = [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => folders.test(name) && !name.includes('<'))
    const run = [...text.matchAll(/^npx vitest .*? (test\/\S+)/gm)].map(([, name = '']) => name)
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, name = '']) => name)
    for (const name of [...names, ...run, ...links])
      expect([name, existsSync(resolve(cwd, name))]).toEqual([name, true])
  })

  test('names npm scripts that exist', () => {
    for (const [, name] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name)
  })
})

describe('the documentation', () => {
  /** Files that only a build or a command makes. */
  const generated = /^(?:public|dist|bench\/results\.json)(?:\/|$)/
  const existing = globSync(
    ['{src,tools,test,packages,console,bench,docs,examples,migrations,runtime}/**', '*', '.*/**'],
    {
      cwd,
      exclude: ['**/node_modules/**'],
    },
  ).map((name) => `/${name}`)
  const endings = new Set(
    existing.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(index + 1))),
  )

  const pages = globSync(['docs/**/*.md', '*.md', 'packages/*/*.md'], { cwd, exclude: ['**/node_modules/**'] })

  test.each(pages)('each table of %s has a heading, and rows of as many cells', (page) => {
    const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '')
    for (const [table] of text.matchAll(/(?:^\|.*\n)+/gm)) {
      const [heading = '', separator = '', ...rows] = table.trim().split('\n')
      expect([heading, separator]).toEqual([heading, expect.stringMatching(/^(?:\| *:?-+:? *)+\|$/)])
      const count = (row: string) => row.replaceAll(/`[^`]*`/g, '').split(/(?<!\\)\|/).length
      for (const row of [separator, ...rows]) expect([row, count(row)]).toEqual([row, count(heading)])
    }
  })

  test.each(pages)('%s names files and folders that exist', (page) => {
    const names = [...read(page).matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
    const paths = names.filter(
      (name) => (folders.test(name) && name.includes('/')) || /\w\.(?:tsx?|[cm]js)$/.test(name),
    )
    expect(paths.filter((name) => !generated.test(name) && !endings.has(name.replace(/\/$/, '')))).toEqual([])
  })

  test('the architecture names every room, every folder of the console and every package', () => {
    const [, tree = ''] = /## The tree\n\n```\n([\s\S]*?)```/.exec(read('docs/architecture.md')) ?? []
    const listed = (parent: string) => readdirSync(resolve(cwd, parent), { withFileTypes: true })
    const rooms = [...listed('src'), ...listed('tools')]
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => /(?:\/|\.ts)$/.test(name))
    const screens = listed('console/screens').flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    const parts = listed('console').flatMap((entry) => (entry.isDirectory() ? [`${entry.name}/`] : []))
    const packages = readdirSync(resolve(cwd, 'packages')).map((name) => `packages/${name}/`)
    const named = new Set(tree.match(/[\w./-]+/g))
    expect([...rooms, ...screens, ...parts, ...packages].filter((name) => !named.has(name))).toEqual([])
  })
})

test('the README links to each page of the documentation', () => {
  const readme = read('README.md')
  const pages = globSync('docs/*.md', { cwd })
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((page) => !readme.includes(`(${page})`))).toEqual([])
})

test('the guide describes each folder of tests that mirrors no district', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`test\/(\w+)`/g)].map(([, name]) => name)
  const found = globSync('test/**/*.test.ts', { cwd, exclude: ['test/foreign/node_modules/**'] })
  const others = new Set(found.map((file) => file.split('/')[1] ?? '')).difference(
    new Set([...readdirSync(resolve(cwd, 'src')), 'tools']),
  )
  expect(others.size).toBeGreaterThan(2)
  for (const folder of others) expect(named).toContain(folder)
})

test('examples in the guides have no variables besides those that they set or that every guide has', () => {
  const common = ['API', 'KEY', 'ADMIN_TOKEN', 'ORIGIN', 'MERCHANT', 'WEBHOOK', 'TAG']
  for (const guide of globSync('docs/*.md', { cwd })) {
    for (const [, block = ''] of read(guide).matchAll(/```sh\n([\s\S]*?)```/g)) {
      const used = [...block.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name = '']) => name)
      const isSet = (name: string) => read(guide).includes(`${name}=`)
      expect([guide, used.filter((name) => !common.includes(name) && !isSet(name))]).toEqual([guide, []])
    }
  }
})
