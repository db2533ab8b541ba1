import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { adminToken, call, createKey, createVenue } from '../support/api.ts'

afterEach(() => vi.restoreAllMocks())

const profile = {
  address: { street: 'Rua Augusta 1', city: 'Lisboa' },
  openingHours: [{ days: ['mon'], opens: '0900', closes: '1700' }],
  phone: '+351 1',
}

/** A venue with a profile, one of whose columns gets a value that the service never writes. */
async function createDamaged(set: string) {
  const { id } = await createVenue(profile)
  const admin = (method: string, part = '', body?: object) =>
    call(method, `/admin/merchants/${id}${part}`, adminToken, body)
  await env.DB.batch([
    env.DB.prepare('pragma ignore_check_constraints = on'),
    env.DB.prepare(`update merchants set ${set} where id = ?`).bind(id),
    env.DB.prepare('pragma ignore_check_constraints = off'),
  ])
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const read = async (column: string) => {
    const row = await env.DB.prepare(`select ${column} as value from merchants where id = ?`).bind(id).first()
    return row?.['value']
  }
  return { id, admin, log, read }
}

const damages = [
  ['address', 'address', '{oops', { city: 'Porto' }],
  ['address', 'address', '{"city":5}', { city: 'Porto' }],
  ['opening_hours', 'openingHours', '[{"days":"mon"}]', []],
  ['opening_hours', 'openingHours', '[', []],
] as const

test.each(damages)(
  'a damaged %s is left out and reported, and stays until it is set',
  async (column, field, value, repair) => {
    const { id, admin, log, read } = await createDamaged(`${column} = '${value}'`)
    const { [field]: _, ...rest } = profile
    const { key } = await createKey(id, { mode: 'live', scopes: ['merchant:read'] })
    for (const response of [await admin('GET'), await call('GET', `/merchants/${id}`, key)]) {
      expect([response.status, response.body[field]]).toEqual([200, undefined])
      expect(response.body).toMatchObject(rest)
    }
    const line = expect.objectContaining({ code: 'damaged', table: 'merchants', merchant: id, count: 1 })
    expect(log.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([line, line])
    expect((await admin('GET', '/damaged')).body).toEqual([{ table: 'merchants', id: id, fields: [field] }])
    const { body: list } = await call('GET', '/admin/merchants?limit=1', adminToken)
    expect(list).toMatchObject([{ id: id, phone: profile.phone }])
    const menu = await call('GET', `/m/${id}.json`, undefined)
    expect([menu.status, menu.body.venue[field], menu.body.venue.phone]).toEqual([200, undefined, profile.phone])

    for (const part of ['/suspend', '/resume', '/close', '/reopen']) {
      expect([part, (await admin('POST', part, {})).status]).toEqual([part, 200])
    }
    expect((await admin('POST', '', { phone: '+351 2' })).body.phone).toBe('+351 2')
    expect(await read(column)).toBe(value)

    expect((await admin('POST', '', { [field]: repair })).body[field]).toEqual(repair)
    expect((await admin('GET', '/damaged')).body).toEqual([])
  },
)

test('null removes a damaged field', async () => {
  const { admin, read } = await createDamaged("address = '{oops'")
  expect((await admin('POST', '', { address: null })).status).toBe(200)
  expect(await read('address')).toBeNull()
  expect((await admin('GET', '/damaged')).body).toEqual([])
})

test('a merchant whose name or state cannot be read is damaged, and hides no other', async () => {
  for (const [set, field] of [
    ["name = x'00'", 'name'],
    ["closed_at = 'soon'", 'closedAt'],
  ] as const) {
    const { id, admin } = await createDamaged(set)
    const { status, body } = await admin('GET')
    expect([status, body.code]).toEqual([409, 'damaged'])
    const { status: listed, body: list } = await call('GET', '/admin/merchants', adminToken)
    expect([listed, list.length > 0, JSON.stringify(list).includes(id)]).toEqual([200, true, false])
    expect((await admin('GET', '/damaged')).body).toEqual([{ table: 'merchants', id, fields: [field] }])
  }
})
