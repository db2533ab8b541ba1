import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { createVenue } from '../support/api.ts'
import { samples } from '../support/samples.ts'

afterEach(() => vi.restoreAllMocks())

/** Lets sessions without a bookmark read a replica that has no object of the merchant yet. */
function lagBehind(merchantId: string) {
  const withSession = env.DB.withSession.bind(env.DB)
  vi.spyOn(env.DB, 'withSession').mockImplementation((constraint) => {
    const session = withSession(constraint)
    if (constraint !== 'first-unconstrained') return session
    const prepare = session.prepare.bind(session)
    session.prepare = (text) => {
      const statement = prepare(text)
      const bind = statement.bind.bind(statement)
      statement.bind = (...values) => bind(...values.map((value) => (value === merchantId ? 'nobody' : value)))
      return statement
    }
    return session
  })
}

test('a replica that lags behind hides nothing whose id the client has just been given', async () => {
  const venue = await createVenue()
  const paths: string[] = []
  for (const { collection, body } of samples) {
    paths.push(`/${collection}/${(await venue.post(`/${collection}`, body('a'))).body.id}`)
  }
  const { id } = (await venue.post('/events', { type: 'order.created', data: {} })).body
  paths.push(`/events?after=${id}`, `/events?order=desc&after=${id}`)
  lagBehind(venue.id)
  const missing: unknown[] = []
  for (const path of paths) {
    const { status } = await venue.get(path)
    if (status !== 200) missing.push([path, status])
  }
  expect(missing).toEqual([])
})
