import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { app } from '../../src/app/app.ts'
import { createApp } from '../../src/app/create-app.ts'
import { lazyApps } from '../../src/app/lazy-apps.ts'
import { scopes } from '../../src/platform/auth/api-keys.ts'
import { responseHeaders } from '../../src/platform/http/headers.ts'
import { adminToken, createKey, createVenue, origin } from '../support/api.ts'
import { isLong } from '../support/rounds.ts'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']

/** The service without the check of the setup, which knows no unusual addresses. */
const service = createApp()
for (const { method, path, handler } of app.routes) service.on(method, path, handler)

/** One application with all routes, which loads nothing later. */
const eager = createApp().use(responseHeaders)
/** For addresses with `external` in place of an id: an external id follows, and never a part that loads later. */
const eagerExternal = createApp().use(responseHeaders)
/** The paths of the routes, and those at which applications begin. */
const paths = new Set<string>()

beforeAll(async () => {
  const added = new Map<unknown, Set<string>>()
  const add = ({ method, path, handler }: (typeof app.routes)[number], isBelowId: boolean) => {
    // Applications share middleware, which then runs once.
    const known = added.get(handler) ?? new Set()
    if (known.has(`${method} ${path}`)) return
    eager.on(method, path, handler)
    if (!isBelowId || !path.includes('/:id/')) eagerExternal.on(method, path, handler)
    added.set(handler, known.add(`${method} ${path}`))
  }
  for (const { load, paths: own } of lazyApps) {
    const isBelowId = own.some((path) => path.includes('/:id/'))
    for (const route of (await load()).routes) if (route.handler !== responseHeaders) add(route, isBelowId)
    for (const path of own) paths.add(path)
  }
  const later = lazyApps.reduce((sum, lazyApp) => sum + lazyApp.paths.length * (lazyApp.methods?.length ?? 1), 0)
  for (const route of app.routes.slice(later)) if (route.handler !== responseHeaders) add(route, false)
  for (const { path } of eager.routes) paths.add(path)
})

/** Addresses at and around a path: as it is, with a slash, below it, with another case, and with words that other routes have in place of an id. */
function* listAddresses(path: string, merchantId: string): Iterable<string> {
  const filled = path.replace(/\{[^}]+\}/g, '').replace(':merchantId', merchantId)
  const bases = filled.includes('*') ? ['', 'x', 'x/y'].map((end) => filled.replace('*', end)) : [filled]
  for (const base of bases.flatMap((base) => [base, base.replace(/\/$/, '')])) {
    for (const word of ['x', 'external', '%65xternal'])
      for (const end of ['', '/', '/x', '/x/y', '//', '%2F'])
        yield `${base.replace(/:\w+/, word).replace(/:\w+/g, 'x')}${end}`
  }
}

async function request(to: typeof eager, method: string, path: string, headers: Record<string, string>) {
  const context = createExecutionContext()
  const response = await to.fetch(
    new Request(`${origin}${path}`, { method, headers, redirect: 'manual' }),
    env,
    context,
  )
  const text = await response.text()
  await waitOnExecutionContext(context)
  const shown = Object.fromEntries(response.headers)
  for (const name of ['request-id', 'set-cookie', 'd1-bookmark', 'cf-cache-status']) delete shown[name]
  if (shown['allow']) shown['allow'] = shown['allow'].split(', ').sort().join()
  return JSON.stringify([response.status, shown, text.length > 2_000 ? text.length : text])
    .replace(/The path supports [A-Z, ]+/, '')
    .replaceAll(/req_\w+/g, 'req')
    .replaceAll(/(?:mer|wh|key|imp|chg|rel)_\w{20,}/g, 'id')
    .replaceAll(/\d{10,13}/g, 'time')
}

test.each(['a key', 'the operator', 'nobody', 'a page'])(
  'a path responds as if its code was loaded at the start, for %s',
  async (who) => {
    const { id } = await createVenue()
    const { key } = await createKey(id, { mode: 'live', scopes })
    const token = { 'a key': key, 'the operator': adminToken }[who]
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(who === 'a page' && {
        accept: 'text/html',
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
      }),
    }
    const all = new Set(
      [...paths].flatMap((path) => [...listAddresses(path, id)].filter((path) => /^\/[^/]/.test(path))),
    )
    // Each seventh or thirteenth: numbers that divide no number of addresses of a path.
    const addresses = [...all].filter((_, index) => index % (isLong ? 7 : 13) === 0)
    const differences: unknown[] = []
    let count = 0
    for (const path of addresses)
      for (const method of methods) {
        count++
        const wanting = /\/(?:e|%65)xternal\//.test(path) ? eagerExternal : eager
        const [now, wanted] = [
          await request(service, method, path, headers),
          await request(wanting, method, path, headers),
        ]
        // A write that succeeds changes what the next one finds.
        const isWritten = method !== 'GET' && /^\[20[12]/.test(now)
        if (now !== wanted && !isWritten)
          differences.push({ method, path: path.replace(id, ':merchantId'), now, wanted })
      }
    console.log(`figure: ${count} requests, ${differences.length} differ`)
    expect(differences.slice(0, 5)).toEqual([])
  },
  600_000,
)
