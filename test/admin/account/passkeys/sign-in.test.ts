import { afterEach, expect, test, vi } from 'vitest'
import { adminToken, call, createVenue } from '../../../support/api.ts'
import { asSession, createMember, invite, request, signIn } from '../../../support/authenticator.ts'
import { now, travelTo } from './clock-and-rows.ts'

afterEach(() => vi.useRealTimers())

test('a passkey opens each venue of its person, and the person sees which there are', async () => {
  const [one, two] = [await createVenue({ name: 'One' }), await createVenue({ name: 'Two' })]
  const zoe = await createMember(one.id, 'owner', 'Zoë')
  const joined = asSession(await signIn(zoe.authenticator, {}, { token: await invite(two.id, 'staff') }))
  await createMember(two.id)
  const { body } = await joined.request('GET', '/console/memberships')
  const at = (merchant: string) => body.find((each: { merchant: { id: string } }) => each.merchant.id === merchant)
  expect(body).toHaveLength(2)
  expect([at(one.id), at(two.id)]).toEqual([
    { id: zoe.userId, role: 'owner', merchant: { id: one.id, name: 'One' }, suspended: false, current: false },
    { id: joined.userId, role: 'staff', merchant: { id: two.id, name: 'Two' }, suspended: false, current: true },
  ])
  await call('POST', `/admin/merchants/${one.id}/suspend`, adminToken)
  const { body: later } = await joined.request('GET', '/console/memberships')
  expect(later.map(({ suspended }: { suspended: boolean }) => suspended).sort()).toEqual([false, true])
  expect((await request('GET', '/console/memberships')).status).toBe(401)
})

test.each(['suspend', 'close'])(
  'a passkey signs in at the venue used before, after a %s of the last one',
  async (change) => {
    const [one, two] = [await createVenue(), await createVenue()]
    const { authenticator } = await createMember(one.id)
    const at = now()
    travelTo(at + 10)
    await signIn(authenticator, {}, { token: await invite(two.id) })
    travelTo(at + 20)
    const used = async (body: object = {}) => {
      const response = await signIn(authenticator, {}, body)
      return response.status === 201 ? response.body.merchant.id : response.body.code
    }
    expect(await used()).toBe(two.id)
    await call('POST', `/admin/merchants/${two.id}/${change}`, adminToken, {})
    expect(await used()).toBe(one.id)
    expect(await used({ merchant: two.id })).toBe('merchant_suspended')
    await call('POST', `/admin/merchants/${one.id}/${change}`, adminToken, {})
    expect(await used()).toBe('merchant_suspended')
  },
)
