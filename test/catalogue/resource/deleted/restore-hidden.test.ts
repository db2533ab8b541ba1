import { expect, test } from 'vitest'
import { pruneBounds } from '../../../../src/catalogue/resource/pruning/continue-pruning.ts'
import { createVenue } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { setLimits } from '../../../support/limits.ts'
import { samples } from '../../../support/samples.ts'
import { createQueue, createUsed, findLeft, send } from '../pruned-venue.ts'

/** More than one transaction prunes. */
const count = 1_100

test.each([{ when: 'before any step of pruning' }, { when: 'after the first steps' }, { when: 'after all steps' }])(
  'what many objects name is restored $when, and all of them name it again',
  async ({ when }) => {
    setLimits(pruneBounds, { steps: 1 })
    const { venue, used } = await createUsed(count)
    const { body: other } = await venue.get('/products?limit=1')
    const queue = createQueue()
    expect((await send(venue, queue, 'DELETE', `/modifiers/${used}`)).status).toBe(200)
    if (when === 'after the first steps') await queue.consumeNext()
    if (when === 'after all steps') await queue.drain()
    const { status, body } = await venue.post(`/modifiers/${used}/restore`, {})
    const pruned = { 'before any step of pruning': 0, 'after the first steps': pruneBounds.owners }[when] ?? count
    expect([status, body.restored.placed.length, body.restored.omitted]).toEqual([200, pruned, []])
    await queue.drain()
    expect(await findLeft(venue, used)).toMatchObject({ naming: count, links: count, rows: 1 })
    const lists = await queryHome(venue.id, 'select distinct modifiers from products where merchant_id = ?', venue.id)
    expect(lists).toEqual([{ modifiers: JSON.stringify(other[0].modifiers) }])
    expect((await venue.get(`/products?modifier=${used}&limit=1`)).body).toHaveLength(1)
  },
)

test.each(['products', 'coupons', 'tags'])(
  'an object of %s that many requests restore at once returns once',
  async (path) => {
    const venue = await createVenue()
    const { id } = (await venue.post(`/${path}`, samples.find(({ collection }) => collection === path)?.body('a'))).body
    await venue.remove(`/${path}/${id}`)
    const responses = await Promise.all(Array.from({ length: 8 }, () => venue.post(`/${path}/${id}/restore`, {})))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    const events = await queryHome(
      venue.id,
      'select type from events where merchant_id = ? and object = ?',
      venue.id,
      id,
    )
    expect(events).toHaveLength(3)
  },
)
