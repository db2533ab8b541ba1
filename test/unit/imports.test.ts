import { expect, test } from 'vitest'

/** A folder may import the ones before it, and itself. `delivery` and `scan` stand side by side and do not know each other. */
const order = [
  ['env'],
  ['core'],
  ['resources'],
  ['merchants'],
  ['delivery', 'scan'],
  ['maintenance'],
  ['tables'],
  ['app'],
  ['index'],
  // Behind the Worker: the build makes the documentation, and nothing that is deployed may know how.
  ['docs'],
]

const sources = import.meta.glob<string>(
  ['../../src/**/*.ts', '!../../src/cli/**', '!../../src/client.ts', '!../../src/client/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)
const folderOf = (file: string) => /^[^/.]+/.exec(file)?.[0] ?? ''
const rankOf = (folder: string) => order.findIndex((folders) => folders.includes(folder))

/** Imports of values, re-exports among them; types may point anywhere. */
const statement = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'(\.[^']*)'/gm
const imports = Object.entries(sources).flatMap(([path, source]) => {
  const file = path.replace('../../src/', '')
  return [...source.matchAll(statement)].flatMap(([, target = '']) => {
    const imported = new URL(target, `file:///${file}`).pathname.slice(1)
    return imported.endsWith('.ts') ? [[file, imported] as const] : []
  })
})

test('all of the source is looked at', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(30)
  expect(imports.length).toBeGreaterThan(60)
  for (const path of Object.keys(sources)) expect(order.flat()).toContain(folderOf(path.replace('../../src/', '')))
})

test.each(imports)('%s may import %s', (from, to) => {
  const [importer, imported] = [folderOf(from), folderOf(to)]
  if (importer === imported) return
  expect(rankOf(imported)).toBeGreaterThanOrEqual(0)
  expect(rankOf(imported)).toBeLessThan(rankOf(importer))
})

test('the client imports nothing but itself', () => {
  const client = Object.entries(
    import.meta.glob<string>(['../../src/client.ts', '../../src/client/*.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  )
  expect(client.length).toBeGreaterThan(4)
  for (const [path, source] of client) {
    const targets = [...source.matchAll(/\sfrom\s+'([^']*)'/g)].map(
      ([, target = '']) => new URL(target, `file:///${path.slice(10)}`).pathname,
    )
    for (const target of targets) expect(target).toMatch(/^\/client\//)
  }
})
