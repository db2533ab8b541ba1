import { expect, test } from 'vitest'
import { createKey, createVenue } from '../../support/api.ts'
import { createMember } from '../../support/authenticator.ts'
import { createSession } from './session-requests.ts'

test('without keys:read and keys:write, a key has access to its own sessions only', async () => {
  const venue = await createVenue()
  const [one, other, owner] = [
    await createKey(venue.id, { mode: 'live', scopes: ['products:read'] }),
    await createKey(venue.id, { mode: 'live' }),
    await createKey(venue.id, { mode: 'live', scopes: ['keys:write'] }),
  ]
  const sessions = [await createSession(one.key), await createSession(other.key)]
  const listed = async (key: typeof one) => (await key.get('/sessions')).body.map(({ id }: { id: string }) => id)
  expect(await listed(one)).toEqual([sessions[0]?.id])
  expect(await listed(owner)).toEqual([sessions[1]?.id, sessions[0]?.id])
  expect((await one.remove(`/sessions/${sessions[1]?.id}`)).status).toBe(404)
  expect((await owner.remove(`/sessions/${sessions[1]?.id}`)).status).toBe(200)
  const stranger = await createVenue()
  expect((await stranger.remove(`/sessions/${sessions[0]?.id}`)).status).toBe(404)
})

test('a developer has access to their own sessions only, an owner to all', async () => {
  const venue = await createVenue()
  const [owner, developer] = [await createMember(venue.id), await createMember(venue.id, 'developer')]
  const list = async (of: typeof owner) =>
    (await of.to('GET', '/sessions')).body.map(({ user }: { user: string }) => user)
  const [ofOwner] = (await owner.to('GET', '/sessions')).body.filter(
    ({ user }: { user: string }) => user === owner.userId,
  )
  expect((await developer.to('DELETE', `/sessions/${ofOwner.id}`)).status).toBe(404)
  expect((await owner.to('GET', '/sessions')).status).toBe(200)
  expect(await list(developer)).toEqual([developer.userId])
  expect(await list(owner)).toEqual([developer.userId, owner.userId])
  const [own] = (await developer.to('GET', '/sessions')).body
  expect((await owner.to('DELETE', `/sessions/${own.id}`, undefined, { mode: 'test' })).status).toBe(200)
  expect((await developer.to('GET', '/sessions')).status).toBe(401)
})

test('a key of test mode has access to its own sessions only', async () => {
  const venue = await createVenue()
  const key = await createKey(venue.id, { mode: 'test', scopes: ['keys:write'] })
  const [live, own] = [await createSession(venue.key), await createSession(key.key)]
  expect((await key.get('/sessions')).body).toMatchObject([{ id: own.id }])
  expect((await key.remove(`/sessions/${live.id}`)).status).toBe(404)
  expect((await key.remove(`/sessions/${own.id}`)).status).toBe(200)
  expect((await live.request('GET', '/console/session')).status).toBe(200)
})
