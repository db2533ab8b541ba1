import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'
import { CachedRouter, maxShapes } from '../../../../src/platform/http/routing/cached-router.ts'
import { routes } from '../../../support/routes.ts'

type Match = ReturnType<TrieRouter<string>['match']>

/** Handlers and the values of their parameters, whatever the form of the result. */
const toValues = ([matches, stash]: Match) =>
  matches.map(([handler, params]) => [
    handler,
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, stash?.[Number(value)] ?? value])),
  ])

const declared = routes.map(({ method, path }, index) => ({ method, path, handler: `${index} ${method} ${path}` }))
const createRouters = () => {
  const [trie, cached] = [new TrieRouter<string>(), new CachedRouter<string>()]
  for (const { method, path, handler } of declared) {
    trie.add(method, path, handler)
    cached.add(method, path, handler)
  }
  return { trie, cached }
}

/** Paths for a route: values, names of other routes, and the same value twice. */
const fill = (path: string) => {
  const values = [
    () => 'same',
    (index: number) => `value${index}`,
    (index: number) => `other${index}`,
    () => 'products',
    () => 'external',
    () => 'sheet',
    () => '1',
    () => '__proto__',
    () => 'constructor',
    () => '',
  ]
  return values.map((value) =>
    path
      .split('/')
      .map((segment, index) => (segment.startsWith(':') ? value(index) : segment))
      .join('/'),
  )
}
const methods = ['GET', 'POST', 'DELETE', 'OPTIONS']

test('every path has the handlers and parameters that Hono’s own router finds, in any order of requests', () => {
  const { trie, cached } = createRouters()
  const paths = [...new Set(declared.flatMap(({ path }) => fill(path).flatMap((filled) => [filled, `${filled}/`])))]
  const more = ['//', '/a', '/merchants', '/merchants/', '/merchants//products/x', '/m/x/y/z', '/admin/merchants/x/y']
  expect(paths.length).toBeGreaterThan(1_000)
  // Hono's router is slow: it is asked once for each path.
  const known = new Map<string, string>()
  const find = (method: string, path: string) => {
    const wanted = known.get(`${method} ${path}`) ?? JSON.stringify(toValues(trie.match(method, path)))
    known.set(`${method} ${path}`, wanted)
    return wanted
  }
  const differences = [...paths, ...more, ...paths.toReversed()].flatMap((path) =>
    methods.flatMap((method) => {
      const [wanted, got] = [find(method, path), JSON.stringify(toValues(cached.match(method, path)))]
      return wanted === got ? [] : [{ method, path, wanted, got }]
    }),
  )
  expect(differences).toEqual([])
})

test('paths of one shape are matched once', () => {
  const { cached } = createRouters()
  cached.match('GET', '/merchants/m1/products/p1')
  const [first] = cached.match('GET', '/merchants/m2/products/p2')
  const [second] = cached.match('GET', '/merchants/m3/products/p3')
  expect(second).toBe(first)
  expect(cached.match('GET', '/merchants/m3/tags/p3')[0]).not.toBe(first)
  for (const path of ['/admin/merchants/m1/close', `/merchants/m1/products/p1${'/products'.repeat(20)}`]) {
    expect(cached.match('POST', path)[0]).not.toBe(cached.match('POST', path)[0])
  }
})

test('the number of cached shapes is bounded', () => {
  const { cached } = createRouters()
  const path = '/merchants/m1/products/p1'
  const [known] = cached.match('GET', path)
  expect(cached.match('GET', path)[0]).toBe(known)
  for (let n = 2; n < maxShapes; n++) cached.match(`M${n}`, '/')
  expect(cached.match('GET', path)[0]).toBe(known)
  for (let n = 0; n < 2; n++) cached.match(`N${n}`, '/')
  const [again] = cached.match('GET', path)
  expect(again).not.toBe(known)
  expect(cached.match('GET', path)[0]).toBe(again)
})
