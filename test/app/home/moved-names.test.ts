import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { reservationSeconds, sweepReservedNames } from '../../../src/storefront/tags/reserved-names.ts'
import { createVenue } from '../../support/api.ts'
import { moveTo } from '../../support/moves.ts'
import { now } from '../../support/webhook-harness.ts'

test('a name that no tag uses is released, although its merchant moves to the shared database in between', async () => {
  const venue = await createVenue({ home: 'object' })
  await env.DB.prepare(`insert into tag_names (name, merchant_id, reserved_at) values ('UNUSED-1', ?, ?)`)
    .bind(venue.id, now() - reservationSeconds - 1)
    .run()
  let moves = 0
  const HOMES = Object.assign(Object.create(null), {
    idFromName: (name: string) => env.HOMES.idFromName(name),
    get: (id: DurableObjectId) => ({
      run: async (...call: Parameters<ReturnType<typeof env.HOMES.get>['run']>) => {
        if (moves++ === 0) expect(await moveTo(venue.id, 'd1')).toMatchObject({ state: 'done' })
        return env.HOMES.get(id).run(...call)
      },
    }),
  })
  await sweepReservedNames({ ...env, HOMES }, now())
  await sweepReservedNames(env, now() + reservationSeconds + 1)
  expect(moves).toBeGreaterThan(0)
  const { results } = await env.DB.prepare(`select name, tag, reserved_at from tag_names where name = 'UNUSED-1'`).all()
  expect(results).toEqual([])
})
