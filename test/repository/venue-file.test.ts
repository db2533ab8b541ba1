import { expect, test } from 'vitest'
import {
  countedFields,
  merchantFields,
  type ReferencePath,
  readOnlyFields,
  referencePaths,
  venueResources,
} from '../../packages/cli/src/commands/venue/venue-fields.ts'
import { maxValues, readYaml } from '../../packages/cli/src/commands/venue/yaml-text.ts'
import { merchantSchemas } from '../../src/admin/merchant-schemas.ts'
import { resources } from '../../src/catalogue/resources/registry.ts'

const nameOf = (table: unknown) => Object.values(resources).find((each) => each.table === table)?.path
const sort = (paths: readonly ReferencePath[]) => paths.map(({ to, path }) => `${to} ${path.join('/')}`).sort()

test.each(venueResources)('a venue file names objects in all places where %s do', async (path) => {
  const resource = resources[path]
  const ofBody = resource.references.map(({ target, path: place }) => `${nameOf(target)} ${[...place, '*'].join('/')}`)
  const details = 'details' in resource ? await resource.details?.load() : undefined
  const ofDetails = (details?.references ?? []).map(({ target, path: place }) => `${target} ${place.join('/')}`)
  expect(sort(referencePaths[path].body)).toEqual(ofBody.sort())
  expect(sort(referencePaths[path].details)).toEqual([...ofDetails].sort())
})

test('aliases stand for the latest anchor before them, and a missing anchor is a mistake', () => {
  const read = (text: string) => {
    const { value, issues } = readYaml(text)
    return issues.length > 0 ? issues.map(({ message, position }) => [position?.line, message]) : value
  }
  expect(read('a: &x {n: 1}\nb: *x\nc: &y [*x]\nd: &x 2\ne: [*x, *y]\n')).toEqual({
    ...{ a: { n: 1 }, b: { n: 1 }, c: [{ n: 1 }], d: 2 },
    e: [2, [{ n: 1 }]],
  })
  expect(read('&k soup: *k\n')).toEqual({ soup: 'soup' })
  const message = 'names the anchor x, which is not defined before it'
  expect(read('a: *x\nb: &x 1\n')).toEqual([[1, message]])
  expect(read('a: &p\n  b: *p\n')).toEqual([[2, expect.stringContaining(`at most ${maxValues} values`)]])
})

test('a file of 5,000 aliases is read within seconds', () => {
  const lines = Array.from({ length: 5_000 }, () => '- *x')
  const startMs = Date.now()
  expect(readYaml(`x: &x {title: Soup}\nlist:\n${lines.join('\n')}\n`).issues).toEqual([])
  expect(Date.now() - startMs).toBeLessThan(10_000)
})

test('an exported file has the fields that clients write, but those that the service counts', () => {
  for (const path of venueResources) {
    const { item, create, counters } = resources[path]
    const shown = Object.keys(item.shape).filter((name) => !readOnlyFields.has(name))
    expect([path, shown.filter((name) => !(name in create.schema.shape))]).toEqual([path, []])
    for (const name of Object.keys(counters ?? {})) expect(countedFields).toContain(name)
  }
  const settings = Object.keys(merchantSchemas.view.shape).filter((name) => !merchantFields.has(name))
  expect(settings.sort()).toEqual(Object.keys(merchantSchemas.update.shape).sort())
})

test('a file that has a key twice, two documents or 50,000 levels names the place', () => {
  const first = (source: string) => {
    const [issue] = readYaml(source).issues
    return `${issue?.position?.line} ${issue?.message}`
  }
  expect(first('products:\n  tea: {}\n  cake: {}\n  "tea": {}\n')).toBe('4 has the key tea twice')
  expect(first('a: &a {x: 1, x: 2}\nb: 1\n')).toBe('1 has the key x twice')
  expect(first('products: {}\n---\nmenus: {}\n')).toMatch(/^2 must have one document/)
  for (const source of ['['.repeat(50_000), '- '.repeat(50_000), `${'{a: '.repeat(50_000)}1`])
    expect(first(source)).toMatch(/must have at most 200000 values in 100 levels/)
  expect(readYaml('__proto__: {a: 1}\nconstructor: {prototype: {a: 1}}\n').value).toEqual(
    JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": {"a": 1}}}'),
  )
  expect(Object.prototype).not.toHaveProperty('a')
})

test('the time to read a file grows with its length', () => {
  const read = (count: number) => {
    const source = Array.from({ length: count }, (_, index) => `p${index}: 1\n`).join('')
    const times = Array.from({ length: 3 }, () => {
      const start = process.cpuUsage().user
      expect(readYaml(source).issues).toEqual([])
      return process.cpuUsage().user - start
    })
    return Math.min(...times)
  }
  read(1_000)
  // With a comparison of all keys it is 60 times.
  expect(read(32_000) / read(4_000)).toBeLessThan(30)
})
