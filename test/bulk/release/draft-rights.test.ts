import { expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { createFilled } from './filled-release.ts'

test('drafting needs releases:write and the right to read, scheduling that to publish', async () => {
  const { venue, soup } = await createFilled()
  const agent = await createKey(venue.id, { mode: 'live', scopes: ['releases:write', 'products:read'] })
  const operations = [{ op: 'update', resource: 'products', id: soup, body: { price: 9 } }]
  const created = await agent.post('/releases', { title: 'R', operations })
  expect(created.status).toBe(201)
  const { id } = created.body
  const publishAt = Math.floor(Date.now() / 1000) + 600
  expect((await agent.post(`/releases/${id}`, { publishAt })).status).toBe(403)
  expect((await agent.post('/releases', { title: 'R', publishAt, operations })).status).toBe(403)
  expect(
    (
      await agent.post('/releases', {
        title: 'R',
        operations: [{ op: 'create', resource: 'menus', body: { title: 'M', sections: [] } }],
      })
    ).status,
  ).toBe(403)
  expect((await venue.post(`/releases/${id}`, { publishAt })).body).toMatchObject({
    state: 'scheduled',
    publishAt,
    version: 2,
  })
  // Who can only prepare does not change what will be published.
  expect((await agent.post(`/releases/${id}/operations`, { operations })).status).toBe(403)
  expect((await agent.post(`/releases/${id}`, { title: 'S' })).status).toBe(403)
  expect((await agent.post(`/releases/${id}/cancel`, {})).status).toBe(403)
  expect((await venue.post(`/releases/${id}`, { publishAt: null })).body).toMatchObject({ state: 'draft', version: 3 })
  expect((await agent.post(`/releases/${id}`, { title: 'S' })).body).toMatchObject({ title: 'S', version: 4 })
  expect((await agent.post(`/releases/${id}/cancel`, {})).body).toMatchObject({ state: 'cancelled', version: 5 })
  expect((await agent.post(`/releases/${id}/operations`, { operations })).status).toBe(409)
  expect(toIssues(await venue.post('/releases', { title: 'R', publishAt: publishAt - 3600 }))).toEqual([
    '/publishAt too_small',
  ])
  expect(toIssues(await venue.post('/releases', { title: 'R', publishAt: publishAt + 400 * 86_400 }))).toEqual([
    '/publishAt too_large',
  ])
})

test('an entity tag protects a draft, and other merchants see nothing of it', async () => {
  const { venue, soup } = await createFilled()
  const {
    body: { id },
    headers,
  } = await venue.post('/releases', { title: 'R' })
  const operations = [{ op: 'update', resource: 'products', id: soup, body: { price: 9 } }]
  const match = { 'if-match': headers.get('etag') ?? '' }
  expect((await venue.post(`/releases/${id}/operations`, { operations }, match)).status).toBe(200)
  expect((await venue.post(`/releases/${id}/operations`, { operations }, match)).status).toBe(412)
  const other = await createVenue()
  expect((await other.get(`/releases/${id}`)).status).toBe(404)
  expect((await other.get(`/releases/${id}/operations`)).status).toBe(404)
  expect((await other.post(`/releases/${id}/cancel`, {})).status).toBe(404)
  const ofTests = await createKey(venue.id, { mode: 'test' })
  expect((await ofTests.get(`/releases/${id}`)).status).toBe(404)
})

test('a merchant has at most 50 open releases in a mode', async () => {
  const { venue } = await createFilled()
  const ids: string[] = []
  for (let n = 0; n < 50; n++) ids.push((await venue.post('/releases', { title: `${n}` })).body.id)
  expect((await venue.post('/releases', { title: '51' })).body.code).toBe('too_many')
  await venue.post(`/releases/${ids[0]}/cancel`, {})
  expect((await venue.post('/releases', { title: '51' })).status).toBe(201)
})
