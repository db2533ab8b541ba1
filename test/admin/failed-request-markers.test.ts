import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { failureWindow, openFields, openWholly } from '../../src/platform/auth/failures/count-failure.ts'
import { createKey, createVenue, send } from '../support/api.ts'

const { ms } = failureWindow
beforeAll(() => {
  Object.assign(failureWindow, { isCounting: true, ms: 5 })
})
afterAll(() => {
  failureWindow.ms = ms
})

/** Texts that no list and no log may contain: letters alone, an e-mail address, a key, and a secret. */
const markers = ['janemarkerdoe', 'jane@marker.example', 'sk_live_MARKER0123456789', 'whsec_marker/+1']
const forms = ['', '/products', '/menus', '/menus/:x', '/products/:x', '/products/:x/details', '/modifiers/:x/details']
const more = ['/menus/:x/details', '/batch', '/quotes', '/webhooks', '/webhooks/:x/filter', '/charges', '/redemptions']
const others = [
  '/releases',
  '/releases/:x/publish',
  '/changes',
  '/test-data',
  '/members',
  '/keys',
  '/service',
  '/customers',
]
const last = ['/customers/:x/erase', '/coupons/:x/codes', '/coupons/:x/limits', '/tags/:x/scans', '/events', '/export']
const paths = [
  ...forms,
  ...more,
  ...others,
  ...last,
  '/imports',
  '/imports/:x/mapping',
  '/nowhere/:x',
  '/failed-requests',
]

/** Bodies with a marker as a name, as a value, inside a list and below each field whose members have names that clients choose. */
function listBodies(marker: string): string[] {
  const inner = { [marker]: { [marker]: [marker, { [marker]: marker }] } }
  const open = Object.fromEntries([...openFields, ...openWholly].map((name) => [name, inner]))
  const operation = { op: 'create', resource: 'products', body: { ...inner, ...open, title: marker }, details: open }
  const list = { operations: [operation, { [marker]: marker }, { ...operation, op: marker, resource: marker }] }
  const named = {
    title: { [marker]: 1 },
    price: marker,
    events: [marker],
    type: marker,
    items: [inner],
    lines: [inner],
  }
  const text = JSON.stringify(marker)
  return [
    ...[inner, open, list, named, [marker], marker].map((body) => JSON.stringify(body)),
    ...[`{${text}: 1, ${text}: 2}`, `{"type": "order.created", "data": {${text}: 1, ${text}: 2}}`, `{${text}`, marker],
  ]
}

test('failed requests and the log have nothing of a request but names that the service declares', async () => {
  const lines: string[] = []
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.map(String).join(' ')))
  const { id } = await createVenue()
  const statuses = new Set<number>()
  let requests = 0
  for (const marker of markers) {
    // A key has a limited number of groups.
    for (const path of paths) {
      const { key } = await createKey(id, { mode: 'live' })
      const at = `/merchants/${id}${path.replace(':x', encodeURIComponent(marker))}`
      const request = async (method: string, to: string, body?: string, headers = {}) => {
        const common = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
        const { status } = await send(to, { method, headers: common, ...(body === undefined ? {} : { body }) })
        statuses.add(status)
        requests++
      }
      const name = encodeURIComponent(marker)
      for (const query of [`?${name}=1`, `?limit=${name}`, `?${name}`, `?include=${name}&${name}=${name}`])
        await request('GET', `${at}${query}`)
      for (const body of listBodies(marker)) await request('POST', at, body)
      await request('PUT', `${at}/external/${name}`, JSON.stringify({ [marker]: marker }))
      await request('PROPFIND', at)
      const headers = ['idempotency-key', 'if-match', 'd1-bookmark', 'change-set', 'x-custom', 'referer', 'user-agent']
      for (const header of headers) await request('POST', at, '{}', { [header]: marker })
    }
  }
  await expect
    .poll(
      async () =>
        await env.DB.prepare('select count(*) as n from failed_requests where merchant_id = ?').bind(id).first('n'),
    )
    .toBeGreaterThan(300)
  await scheduler.wait(200)
  const { results } = await env.DB.prepare('select request from failed_requests where merchant_id = ?').bind(id).all()
  vi.restoreAllMocks()
  const found = (text: string) => /marker/i.test(text)
  expect(results.map(({ request }) => String(request)).filter(found)).toEqual([])
  // The test calls the Worker, so that the log of the platform with each address is no part of it.
  expect(lines.filter(found)).toEqual([])
  console.log(`figure: ${requests} failing requests, ${results.length} groups, ${lines.length} lines of log`)
  expect([...statuses]).toEqual(expect.arrayContaining([400, 404, 405, 422]))
})

/** Fields of a part of a batch or a release. Their names are those of the resources, which rules of their own check. */
const checkedInside = ['body', 'details', 'limits', 'availability']

test('fields whose members have any name are those of the document', async () => {
  const document = await (await env.ASSETS.fetch('https://assets/openapi.json')).json<Record<string, unknown>>()
  const open = new Set<string>()
  const seen = new Set<unknown>()
  const read = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  const visit = (given: unknown, name: string): void => {
    const ref = read(given, '$ref')
    const schema = typeof ref === 'string' ? ref.split('/').slice(1).reduce<unknown>(read, document) : given
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
    seen.add(schema)
    for (const [key, part] of Object.entries(read(schema, 'properties') ?? {})) visit(part, key)
    for (const key of ['oneOf', 'anyOf', 'allOf'])
      for (const part of [read(schema, key) ?? []].flat()) visit(part, name)
    visit(read(schema, 'items'), name)
    const others = read(schema, 'additionalProperties')
    if (others === undefined || others === false) return
    open.add(name)
    visit(others, name)
  }
  for (const item of Object.values(read(document, 'paths') ?? {}))
    for (const operation of Object.values(item ?? {}))
      for (const content of Object.values(read(read(operation, 'requestBody'), 'content') ?? {}))
        visit(read(content, 'schema'), '')
  open.delete('')
  expect([...open].sort()).toEqual([...openFields, ...openWholly, ...checkedInside].sort())
})
