import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import operations from '../../../examples/autumn-menu.json'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../../src/platform/db/home/merchant-connection.ts'
import { createVenue, send } from '../../support/api.ts'
import { findObject, ringAlarm } from '../../support/home.ts'
import { link, readData } from './preview-links.ts'

/** The night in which Lisbon's clocks go back, and six in the morning after it. */
const evening = Date.parse('2027-10-30T22:00:00+01:00')
const six = Date.parse('2027-10-31T06:00:00+00:00')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening })
})
afterEach(() => vi.useRealTimers())

async function sweep({ id }: { id: string }) {
  if (await findObject(id)) await ringAlarm(id)
  else await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
}
const titlesOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
  body.menus.flatMap(({ sections }: { sections: { products: { title: string }[] }[] }) =>
    sections.flatMap(({ products }) => products.map(({ title }) => title)),
  )

test.each(['d1', 'object'] as const)(
  'the autumn menu of the example is previewed, and published at six, in %s',
  async (home) => {
    const venue = await createVenue({ home, timezone: 'Europe/Lisbon' })
    const created = await venue.post('/releases', { title: 'Autumn', operations, publishAt: six / 1000 })
    expect([created.status, created.body.state, created.body.changes]).toEqual([201, 'scheduled', 3])
    const { id } = created.body
    expect((await venue.post(`/releases/${id}/check`, {})).body).toMatchObject({ ok: true, errors: [], conflicts: [] })
    const preview = await link(venue, id, { hours: 24, at: six / 1000 })
    expect(titlesOf(await readData(preview))).toEqual(['Pumpkin soup', 'Plum crumble'])
    expect(titlesOf(await readData(new URL(`${preview}&lang=de`)))).toEqual(['Kürbissuppe', 'Pflaumenstreusel'])
    const guests = () => send(`/m/${venue.id}.json`)
    expect(titlesOf(await guests())).toEqual([])
    vi.setSystemTime(six - 1_000)
    await sweep(venue)
    expect((await venue.get(`/releases/${id}`)).body.state).toBe('scheduled')
    vi.setSystemTime(six)
    await sweep(venue)
    expect((await venue.get(`/releases/${id}`)).body).toMatchObject({ state: 'published', publishedAt: six / 1000 })
    vi.setSystemTime(six + 61_000)
    expect(titlesOf(await guests())).toEqual(['Pumpkin soup', 'Plum crumble'])
    expect((await readData(preview)).status).toBe(404)
  },
)
