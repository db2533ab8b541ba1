import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import control, { MerchantHome } from '../../bench/homes/object-control.ts'
import { createVenue, origin } from '../support/api.ts'
import { findObject } from '../support/home.ts'
import { logObjectStatements } from '../support/object-rows.ts'

type Venue = Awaited<ReturnType<typeof createVenue>>

/** Sends a request to the control, whose object runs on the storage of the merchant's object. Counts the calls of the object. */
async function sendRequest(venue: Venue, method: string, path: string, json?: object) {
  const object = await findObject(venue.id)
  if (!object) throw new Error('the merchant has no object')
  let calls = 0
  const stub = new Proxy(Object.create(null), {
    get: (_, name) =>
      name === 'then'
        ? undefined
        : (...args: unknown[]) => {
            calls++
            return runInDurableObject(object.stub, (_, state) => {
              const bare = new MerchantHome(state, env)
              return Reflect.get(bare, name).apply(bare, args)
            })
          },
  })
  const namespace = Object.assign(Object.create(null), { idFromName: () => undefined, get: () => stub })
  const request = new Request(new URL(venue.path(path), origin), {
    method,
    headers: { authorization: `Bearer ${venue.key}` },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const response = await control.fetch(request, { DB: env.DB, HOMES: namespace })
  return { status: response.status, body: await response.json(), calls }
}

const withoutIdentity = ({ id, createdAt, updatedAt, ...rest }: Record<string, unknown>) => rest

test('the control in an object makes the same statements as the service, in one call, and returns the same responses', async () => {
  const venue = await createVenue({ home: 'object' })
  const post = async (path: string, json: object) => (await venue.post(path, json)).body
  const modifier = await post('/modifiers', { title: 'Milk', instructions: '' })
  const full = {
    title: 'Flat white',
    description: 'Two ristretti under milk.',
    price: 4.5,
    sku: 'S1',
    calories: 120,
    taxRate: 7,
    images: [{ url: 'https://images.example.com/1.jpg' }],
    modifiers: [modifier.id],
  }
  for (let n = 0; n < 30; n++) await post('/products', full)
  const create = async () => (await post('/products', full)).id
  await sendRequest(venue, 'GET', `/products/${await create()}`)
  const cases: (() => Promise<[method: string, path: string, json?: object]>)[] = [
    async () => ['GET', `/products/${await create()}`],
    async () => ['GET', '/products?limit=20'],
    async () => ['POST', '/products', full],
    async () => ['POST', '/products', { title: 'Plain', price: 1 }],
    async () => ['POST', `/products/${await create()}`, { price: 5 }],
    async () => ['POST', '/events', { type: 'order.created', data: { total: 4.5 } }],
  ]
  for (const make of cases) {
    // A full-text index merges its segments now and then, and then reads and writes more rows.
    const costs: { ours: number[]; bare: number[] }[] = []
    for (let round = 0; round < 3; round++) {
      const [[method, path, json], [, again]] = [await make(), await make()]
      const name = `${method} ${path}`
      let ours: { status: number; body: unknown } | undefined
      let bare: Awaited<ReturnType<typeof sendRequest>> | undefined
      const send = () => (method === 'GET' ? venue.get(path) : venue.post(path, json ?? {}))
      const statements = {
        ours: await logObjectStatements(venue.id, async () => {
          ours = await send()
        }),
        bare: (
          await logObjectStatements(venue.id, async () => {
            bare = await sendRequest(venue, method, again, json)
          })
        ).filter(({ sql }) => !sql.startsWith('create table')),
      }
      expect([name, bare?.status, bare?.calls]).toEqual([name, ours?.status, 1])
      const shown = [bare?.body, ours?.body].map((body) =>
        Array.isArray(body) ? body.length : withoutIdentity(Object(body)),
      )
      expect([name, shown[0]]).toEqual([name, shown[1]])
      const sum = (list: typeof statements.ours) => [
        list.length,
        list.reduce((total, { rowsWritten }) => total + rowsWritten, 0),
        list.reduce((total, { rowsRead }) => total + rowsRead, 0),
      ]
      costs.push({ ours: sum(statements.ours), bare: sum(statements.bare) })
    }
    const least = (which: 'ours' | 'bare') =>
      [0, 1, 2].map((index) => Math.min(...costs.map((each) => each[which][index] ?? 0)))
    const [ours, bare] = [least('ours'), least('bare')]
    expect([await make(), bare.slice(0, 2)]).toEqual([expect.anything(), ours.slice(0, 2)])
    expect(Math.abs((bare[2] ?? 0) - (ours[2] ?? 0))).toBeLessThanOrEqual(2)
  }
})
