import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { app } from '../../../src/app/app.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { renderOnce } from '../../../src/platform/http/idempotency.ts'
import { origin } from '../../support/api.ts'
import { countRowBytes } from '../../support/d1-guard.ts'
import { isLong } from '../../support/rounds.ts'
import { routes } from '../../support/routes.ts'
import { samples } from '../../support/samples.ts'
import { countKeys, newKey, post, read, toReplayed, useVenue, venue } from './idempotent-requests.ts'
import { ofResources, operations } from './post-operations.ts'

useVenue()

test('the operations include every path with POST', async () => {
  const tried = await Promise.all(operations.map(async ({ prepare }) => (await prepare()).path))
  // Quotes, checks of releases, and links to sheets and previews store nothing. Forms of guests have no key. A second undo has the result of the first: test/bulk/changes. A backup changes no row, and only one is made in a second. Pictures:
  // test/storefront/media/picture-routes.test.ts. Imports: test/bulk/import/uploads.test.ts and test-data.test.ts. Merchant and keys: the operator's routes are the same; see
  // test/admin/account/own-keys.test.ts. Members: test/admin/account/members/member-routes.test.ts. Sessions, also of support: test/admin/account/session-routes.test.ts.
  // Restores are continued by one request at a time: test/tenancy/backup/restore-states.test.ts. workerd cannot recover objects.
  const forms = routes
    .filter(
      ({ method, path }) =>
        method === 'POST' &&
        !/\/quotes$|\/(?:check|preview|preview-link|undo)$|\/sheet-link$|\/backups$|\/imports|\/test-data$|\/restore\/continue$|\/admin\/.*\/(?:recover|support)$|\/(?:images|banner|icon|logo)$|^\/merchants\/[^/]+(?:\/(?:keys|members|invitations).*)?$|^\/console|^\/m\//.test(
          path,
        ),
    )
    .map(({ path }) => [path, new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)] as const)
  expect(forms.length).toBeGreaterThan(20)
  const untried = forms.filter(([, form]) => !tried.some((path) => form.test(path))).map(([path]) => path)
  expect(untried).toEqual([])
})

describe.each(operations)('$name', ({ status, prepare }) => {
  test('a repeated request gets the first response and takes effect once', async () => {
    const { path, json, other, token } = await prepare()
    const key = newKey()
    const sendRequest = (body: unknown = json, used = key) => post(path, body, used, token)
    const first = await sendRequest()
    expect([first.status, first.isReplayed]).toEqual([status, false])
    const after = await countRowBytes()
    for (const again of [await sendRequest(), await sendRequest(json, `"${key}"`), await sendRequest()]) {
      expect(again.isReplayed).toBe(true)
      expect(toReplayed(again)).toEqual(toReplayed(first))
    }
    const another = await sendRequest(other)
    expect([another.status, another.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(another.headers).not.toHaveProperty('etag')
    expect(another.headers).not.toHaveProperty('location')
    // No row differs, except in the time when a key was last used.
    expect(await countRowBytes()).toBe(after)
    const fresh = await sendRequest(json, newKey())
    // A redemption is made once for its order, whatever the key.
    expect([[status, 200, 409].includes(fresh.status), fresh.isReplayed]).toEqual([true, false])
  })
})

/** Resources share their operations: outside CI those of the first and the last one are tried in each way. */
const perResource = ofResources.length / samples.length
const likeOthers = new Set(isLong ? [] : ofResources.slice(perResource, -perResource))

describe.each(operations.filter((operation) => !likeOthers.has(operation)))('$name', ({ status, prepare }) => {
  test('concurrent requests with one key take effect once', async () => {
    const { path, json, token } = await prepare()
    const key = newKey()
    const responses = await Promise.all(Array.from({ length: 10 }, () => post(path, json, key, token)))
    const winners = responses.filter(({ isReplayed, status }) => !isReplayed && status < 300)
    expect(winners).toHaveLength(1)
    const [winner] = winners
    for (const response of responses) {
      if (response.status === 409) expect(response.body.code).toBe('idempotency_key_in_use')
      else expect(toReplayed(response)).toEqual(winner && toReplayed(winner))
    }
    expect(toReplayed(await post(path, json, key, token))).toEqual(winner && toReplayed(winner))
  })

  test('a request whose response was lost took effect', async () => {
    const { path, json, token } = await prepare()
    const [key, before] = [newKey(), await countKeys()]
    const lost = await crash(path, json, key, token)
    expect([lost.status, lost.body.code]).toEqual([503, 'unavailable'])
    expect(await countKeys()).toBe(Number(before) + 1)
    const again = await post(path, json, key, token)
    expect([again.status, again.isReplayed]).toEqual([status, true])
    expect(toReplayed(await post(path, json, key, token))).toEqual(toReplayed(again))
    expect(await countKeys()).toBe(Number(before) + 1)
  })
})

/** A request to a Worker that loses its connection to D1 as soon as it has had the key's row written. */
async function crash(path: string, json: unknown, key: string, token = venue.key) {
  const texts = new WeakMap<D1PreparedStatement, string>()
  const isKeeping = (sql = '') => /insert into "idempotency_keys"/.test(sql)
  const DB: D1Database = Object.assign(Object.create(null), {
    withSession(constraint?: string) {
      const session = env.DB.withSession(constraint)
      return {
        prepare(sql: string) {
          const real = session.prepare(sql)
          const bind = real.bind.bind(real)
          return Object.assign(real, {
            bind(...values: unknown[]) {
              const bound = bind(...values)
              texts.set(bound, sql)
              return bound
            },
          })
        },
        async batch(all: D1PreparedStatement[]) {
          const results = await session.batch(all)
          if (all.some((statement) => isKeeping(texts.get(statement)))) throw new Error('D1_ERROR: connection lost')
          return results
        },
        getBookmark: () => session.getBookmark(),
      }
    },
  })
  vi.spyOn(console, 'error').mockReturnValue()
  const bindings: Bindings = { ...env, DB }
  const request = new Request(new URL(path, origin), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const response = await read(await app.fetch(request, bindings, createExecutionContext()))
  vi.restoreAllMocks()
  return response
}

test('a change is rendered once, for the transaction and the client; another attempt is rendered again', () => {
  const render = vi.fn(({ id }: { id: string }) => new Response(id))
  const renderProduct = renderOnce(render)
  const [first, second] = [{ id: 'a' }, { id: 'a' }]
  expect(renderProduct(first)).toBe(renderProduct(first))
  expect(renderProduct(second)).not.toBe(renderProduct(first))
  expect(render).toHaveBeenCalledTimes(2)
})
