import { expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { createManager } from './charge-venue.ts'

const service = { title: 'Service', kind: 'service', type: 'PERCENTAGE', value: 10 }

test('the list is replaced whole, with ids as given or kept by title', async () => {
  const venue = await createManager((await createVenue()).id)
  expect((await venue.get('/charges')).body).toEqual({ charges: [] })
  const { status, body } = await venue.post('/charges', {
    charges: [
      { ...service, id: 'own', translations: { 'DE-de': { title: 'Bedienung' }, fr: null } },
      { title: 'Box', kind: 'packaging', type: 'FIXED', value: 0.3, per: 'item', orderTypes: ['takeaway'], taxRate: 7 },
    ],
  })
  expect([status, body]).toEqual([
    200,
    {
      charges: [
        {
          ...service,
          id: 'own',
          translations: { 'de-DE': { title: 'Bedienung' } },
          per: 'order',
          taxable: true,
          optional: false,
        },
        {
          id: expect.stringMatching(/^chg_/),
          title: 'Box',
          kind: 'packaging',
          type: 'FIXED',
          value: 0.3,
          per: 'item',
          orderTypes: ['takeaway'],
          taxable: true,
          taxRate: 7,
          optional: false,
        },
      ],
    },
  ])
  expect((await venue.get('/charges')).body).toEqual(body)
  const box = { title: 'Box', kind: 'packaging', type: 'FIXED', value: 0.5 }
  expect((await venue.post('/charges', { charges: [box] })).body.charges).toMatchObject([
    { id: body.charges[1].id, value: 0.5, per: 'order' },
  ])
  expect((await venue.post('/charges', { charges: [] })).body).toEqual({ charges: [] })
})

test('an ETag names the list, and a change requires it if asked', async () => {
  const venue = await createManager((await createVenue()).id)
  const first = await venue.get('/charges')
  const written = await venue.post('/charges', { charges: [service] }, { 'if-match': first.headers.get('etag') ?? '' })
  expect(written.status).toBe(200)
  const etag = written.headers.get('etag') ?? ''
  expect((await venue.get('/charges', { 'if-none-match': etag })).status).toBe(304)
  const same = await venue.post('/charges', { charges: [service] }, { 'if-match': etag })
  expect([same.status, same.headers.get('etag'), same.body]).toEqual([200, etag, written.body])
  const late = await venue.post('/charges', { charges: [] }, { 'if-match': first.headers.get('etag') ?? '' })
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
})

test('what is not well formed is refused', async () => {
  const venue = await createManager((await createVenue()).id)
  const fixed = { title: 'Box', kind: 'packaging', type: 'FIXED', value: 1 }
  const cases: [object, string[]][] = [
    [{}, ['/charges required']],
    [{ charges: [{}] }, ['kind', 'title', 'type', 'value'].map((name) => `/charges/0/${name} required`)],
    [{ charges: [{ ...service, per: 'item' }] }, ['/charges/0/per conflict']],
    [{ charges: [{ ...service, per: 'guest' }] }, ['/charges/0/per invalid_value']],
    [{ charges: [{ ...service, value: 100.0001 }] }, ['/charges/0/value too_large']],
    [{ charges: [{ ...fixed, value: -1 }] }, ['/charges/0/value too_small']],
    [{ charges: [{ ...fixed, minGuests: 1_000 }] }, ['/charges/0/minGuests too_large']],
    [{ charges: [{ ...fixed, orderTypes: [] }] }, ['/charges/0/orderTypes too_short']],
    [{ charges: Array(21).fill(fixed) }, ['/charges too_many']],
    [
      {
        charges: [
          { ...fixed, id: 'a' },
          { ...service, id: 'a' },
        ],
      },
      ['/charges/1 duplicate'],
    ],
  ]
  for (const [body, issues] of cases) expect(toIssues(await venue.post('/charges', body))).toEqual(issues)
  expect((await venue.post('/charges', { charges: Array(20).fill(fixed) })).status).toBe(200)
})

test('scopes of the merchant are required', async () => {
  const venue = await createVenue()
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['merchant:read'] })
  expect((await reader.get('/charges')).status).toBe(200)
  expect((await reader.post('/charges', { charges: [] })).body.code).toBe('forbidden')
  const other = await createKey(venue.id, { mode: 'live', scopes: ['products:write'] })
  expect((await other.get('/charges')).body.code).toBe('forbidden')
})
