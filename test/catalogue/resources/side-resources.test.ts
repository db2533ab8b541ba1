import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ResourceDefinition } from '../../../src/catalogue/resource/definition.ts'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'
import { detailedPaths, resourceIdentities } from '../../../src/platform/names.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { dump } from '../../support/d1.ts'
import { mark, marker } from '../../support/marker.ts'
import { moveTo } from '../../support/moves.ts'
import { samples } from '../../support/samples.ts'
import { backUp, restore } from '../../tenancy/backup/restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => vi.useRealTimers())

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const definitions: readonly ResourceDefinition[] = resourceList
const detailed = definitions.flatMap(({ name, path, details }) => (details ? [{ name, path, details }] : []))

/** The fields of an issue's pointer. */
const fieldOf = (pointer: string) => pointer.split('/')[1] ?? ''

async function createObject(venue: Venue, resource: string, title: string): Promise<Fields> {
  const sample = samples.find((each) => each.name === resource)
  const { path } = Object.entries(resourceIdentities).find(([key]) => key === resource)?.[1] ?? { path: '' }
  const parts = {
    modifier: { options: [{ label: 'Oat' }] },
    menu: { sections: [{ title: 'All', items: [] }] },
  }
  const { body, status } = await venue.post(`/${path}`, { ...sample?.body(title), ...Object(parts)[resource] })
  expect(status).toBe(201)
  return (await venue.get(`/${path}/${body.id}`)).body
}

test('the resources with details are those of the list from which their events and triggers follow', () => {
  expect(detailed.map(({ path }) => path).sort()).toEqual([...detailedPaths].sort())
})

describe.each(detailed.map((each) => [each.name, each] as const))(
  'every field of the details of a %s',
  (resource, each) => {
    const { path } = each

    test('is shown, sent, exported, restored and moved, and goes with the object', async () => {
      const { body: rules, references = [], parts } = await each.details.load()
      const venue = await createVenue({ orderingUrl: 'https://order.example/' })
      const object = await createObject(venue, resource, 'First')
      const address = `/${path}/${object['id']}/details`
      const marked = mark(rules.schema)
      if (!isFields(marked)) throw new Error('There are no fields.')
      const body = { ...marked }
      // Fields that name other objects have made-up ids.
      const naming = new Set([...references.map(({ path: [first] }) => first), ...(parts?.members ?? [])])
      for (let round = 0; round < 5; round++) {
        const { status: found, body: problem } = await venue.post(address, body)
        if (found === 200) break
        expect([found, problem.code]).toEqual([422, 'invalid_request'])
        const keys = problem.errors.map(({ pointer }: { pointer: string }) => fieldOf(pointer))
        if (keys.includes('translations')) body['translations'] = { fr: { title: marker } }
        // Other fields may have issues caused by these.
        const named = keys.filter((key: string) => naming.has(key))
        for (const key of named) delete body[key]
        if (named.length === 0 && !keys.includes('translations')) throw new Error(JSON.stringify(problem.errors))
      }
      const { status, body: shown } = await venue.post(address, body)
      expect([status, Object.keys(shown).sort()]).toEqual([200, Object.keys(body).sort()])
      const text = JSON.stringify(shown)
      const read = async () => JSON.stringify((await venue.get(address)).body)
      expect(await read()).toBe(text)

      const events = (await venue.get('/events?order=desc')).body
      expect(events[0]).toMatchObject({
        type: `${resource}.details_updated`,
        data: { id: object['id'], details: shown },
      })
      const lines = String((await venue.get('/export')).body)
        .trimEnd()
        .split('\n')
      const exported = lines.map((line) => JSON.parse(line)).find((line) => line.object?.id === object['id'])
      expect(JSON.stringify(exported.details)).toBe(text)

      const takenAt = await backUp(venue.id)
      const cleared = Object.fromEntries(Object.keys(marked).map((key) => [key, null]))
      expect((await venue.post(address, cleared)).body).toEqual({})
      await restore(venue.id, takenAt)
      expect(await read()).toBe(text)
      for (const home of ['object', 'd1'] as const) {
        expect((await moveTo(venue.id, home)).state).toBe('done')
        expect(await read()).toBe(text)
      }

      const isErased = resource === 'customer'
      const removed = isErased
        ? await venue.post(`/${path}/${object['id']}/erase`, undefined)
        : await venue.remove(`/${path}/${object['id']}`)
      expect(removed.status).toBe(200)
      const next = await createObject(venue, resource, 'Next')
      expect((await venue.get(`/${path}/${next['id']}/details`)).body).toEqual({})
      // Deleted data stays in events for 30 days. Erased data does not stay anywhere.
      const log = isErased ? [] : ['events', 'deliveries', 'idempotency_keys']
      const tables: [string, object[]][] = JSON.parse(await dump())
      const holding = tables.filter(
        ([table, rows]) =>
          !log.includes(table) &&
          JSON.stringify(rows.filter((row) => [undefined, venue.id].includes(Object(row).merchant_id))).includes(
            marker,
          ),
      )
      expect(holding.map(([table]) => table)).toEqual([])
    })
  },
)
