import { beforeEach, describe, expect, test } from 'vitest'
import { chunkLimits, failureLimits, messageLimits } from '../../../src/bulk/import/import-limits.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { csv, jsonl, listIssues, toCounts, toJsonLines } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { countFailures, createFailingQueue, failRows, passSeconds, setFailures, stopClock } from './failing-imports.ts'
import { retrieve, rows } from './import-queue.ts'

beforeEach(stopClock)

/** Products, those of the given numbers with the title `Broken`. */
const products = (count: number, ...broken: number[]) =>
  `externalId,title,price\n${Array.from({ length: count }, (_, n) => `E${n},${broken.includes(n) ? 'Broken' : 'Tea'},1\n`).join('')}`
const isBroken = `new.title = 'Broken'`

/** A venue, and an import of products that was checked and is to be applied. */
async function createChecked(content: string, headers: Record<string, string> = csv) {
  const venue = await createVenue()
  const failing = createFailingQueue(venue)
  const id = await failing.upload('resource=products', content, headers)
  await failing.check(id)
  await failing.apply(id)
  return { venue, id, ...failing }
}

describe('rows whose step always fails', () => {
  test('are given up after an hour, and the other rows and the next import are applied', async () => {
    const { venue, id, upload, check, apply, passMinutes, consume, queue } = await createChecked(products(9, 3, 7))
    const second = await upload('resource=products', rows(1, 10))
    await check(second)
    await apply(second)
    await failRows(venue, 'insert on products', isBroken)
    await consume(id)
    const startMs = Date.now()
    await passMinutes(failureLimits.count - 1)
    expect(Date.now() - startMs).toBe(3_600_000)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'applying', applied: 0, failed: 0 })
    expect(await retrieve(venue, second)).toMatchObject({ state: 'applying', applied: 0 })
    expect(await listIssues(venue, id)).toEqual([])
    await consume(id)
    await queue.drain()
    expect(await retrieve(venue, id)).toMatchObject({ state: 'done', applied: 7, created: 7, failed: 2 })
    const message = 'could not be imported because of an error of the service; upload it again later'
    expect((await venue.get(`/imports/${id}/errors`)).body).toEqual(
      [5, 9].map((row) => ({ row, severity: 'issue', code: 'internal', message })),
    )
    expect(await retrieve(venue, second)).toMatchObject({ state: 'done', applied: 1 })
  })

  test('have an issue if the check gives them up, and are not applied', async () => {
    setLimits(failureLimits, { count: 2 })
    const venue = await createVenue()
    const { upload, passMinutes, apply } = createFailingQueue(venue)
    const repair = await failRows(venue, 'insert on products', isBroken)
    const id = await upload('resource=products&apply=true', products(3, 1))
    await passMinutes(failureLimits.count)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'checking', checked: 0 })
    await passMinutes(1)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'ready', checked: 3, failed: 1 })
    expect(await listIssues(venue, id)).toEqual(['3 internal'])
    await repair()
    await apply(id)
    await passMinutes(1)
    expect(toCounts(await retrieve(venue, id))).toMatchObject({ applied: 2, created: 2, failed: 1 })
  })

  test('fail for as long again behind a step without failures', async () => {
    setLimits(failureLimits, { count: 2 })
    setLimits(chunkLimits, { rows: 2 })
    const { venue, id, passMinutes } = await createChecked(products(6, 0, 4))
    await failRows(venue, 'insert on products', isBroken)
    const progress: unknown[] = []
    for (let minute = 0; minute < 5; minute++) {
      await passMinutes(1)
      const { state, applied, failed } = await retrieve(venue, id)
      progress.push([state, applied, failed, await countFailures(venue, id)])
    }
    expect(progress).toEqual([
      ['applying', 0, 0, 1],
      ['applying', 0, 0, 2],
      ['applying', 3, 1, 1],
      ['applying', 3, 1, 2],
      ['done', 4, 2, 0],
    ])
  })

  test('lose only their details if only those cannot be written', async () => {
    setLimits(failureLimits, { count: 2 })
    setLimits(chunkLimits, { rows: 2 })
    const lines = [18, 99, 18, 99].map((ageLimit) => ({ title: 'Tea', price: 1, details: { ageLimit } }))
    const { venue, id, passMinutes } = await createChecked(toJsonLines(lines), jsonl)
    await failRows(venue, 'insert on details', `new.data like '%99%'`)
    await passMinutes(failureLimits.count)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'applying', applied: 4 })
    await passMinutes(1)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'done', applied: 4, failed: 0 })
    expect(await listIssues(venue, id)).toEqual(['2 /details internal', '4 /details internal'])
    const { body } = await venue.get('/products?include=details&order=asc')
    const [first, second] = [{ ageLimit: 18 }, {}]
    expect(body.map(({ details }: { details: object }) => details)).toEqual([first, second, first, second])
  })
})

describe('an import whose step has no row to give up', () => {
  const putProducts = async ({ request }: Pick<Venue, 'request'>, ...titles: string[]) => {
    for (const title of titles) await request('PUT', `/products/external/${title}`, { title, price: 1 })
    passSeconds(1)
  }
  const lines = toJsonLines([
    { externalId: 'NONE', title: '', price: 1 },
    { externalId: 'TEA', title: 'Tea', price: 1 },
  ])

  test.each([
    ['ends the check', 'update on imports', (id: string) => `new.id = '${id}' and new.state = 'ready'`, 0, 0],
    ['deletes objects', 'delete on products', () => `old.title = 'Broken'`, 1, 2],
    ['ends the import', 'update on imports', (id: string) => `new.id = '${id}' and new.state = 'done'`, 1, 3],
  ])('fails if it never %s', async (_, change, getCondition, applied, deleted) => {
    setLimits(failureLimits, { count: 2 })
    const venue = await createVenue()
    await putProducts(venue, 'A', 'B', 'Broken')
    const { upload, check, apply, passMinutes, consume, queue } = createFailingQueue(venue)
    const id = await upload('resource=products&delete=missing', lines, jsonl)
    await failRows(venue, change, getCondition(id))
    await check(id)
    if (applied > 0) await apply(id)
    const second = await upload('resource=products', rows(1, 10))
    await check(second)
    await apply(second)
    await passMinutes(failureLimits.count - (applied > 0 ? 0 : 1))
    expect(await retrieve(venue, id)).toMatchObject({ state: applied > 0 ? 'applying' : 'checking', applied })
    await consume(id)
    await queue.drain()
    expect(await retrieve(venue, id)).toMatchObject({ state: 'failed', applied, deleted, failed: 1 })
    expect(await listIssues(venue, id)).toEqual(['1 /title too_short', '1 internal'])
    expect(await retrieve(venue, second)).toMatchObject({ state: 'done', applied: 1 })
    expect((await venue.post(`/imports/${id}/apply`, {})).status).toBe(409)
  })
})

test('each kind of step that succeeds sets the number of failures to 0', async () => {
  setLimits(messageLimits, { steps: 1 })
  const venue = await createVenue()
  await venue.request('PUT', '/products/external/OLD', { title: 'Old', price: 1 })
  passSeconds(1)
  const { upload, consume } = createFailingQueue(venue)
  const lines = toJsonLines([{ externalId: 'TEA', title: 'Tea', price: 1, details: { ageLimit: 18 } }])
  const id = await upload('resource=products&delete=missing&apply=true', lines, jsonl)
  const progress: unknown[] = []
  for (let step = 0; step < 7; step++) {
    await setFailures(venue, id, failureLimits.count - 1)
    await consume(id)
    const { state, checked, applied, deleted } = await retrieve(venue, id)
    progress.push([state, checked, applied, deleted, await countFailures(venue, id)])
  }
  expect(progress).toEqual([
    ['checking', 1, 0, 0, 0],
    ['applying', 1, 0, 0, 0],
    ['applying', 1, 1, 0, 0],
    ['applying', 1, 1, 0, 0],
    ['applying', 1, 1, 0, 0],
    ['applying', 1, 1, 1, 0],
    ['done', 1, 1, 1, failureLimits.count - 1],
  ])
})
