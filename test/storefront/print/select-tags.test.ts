import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { readPdf, spell } from '../../support/pdf.ts'
import { create, download } from './sheets.ts'

describe('the selection', () => {
  let hall: Venue
  const ids: string[] = []
  /** The labels of a sheet, in the order of its cards. */
  const labelsOf = (page: string) =>
    [...page.matchAll(/class="label"><bdi[^>]*>([^<]*)/g)].map(([, label = '']) => label)
  const read = async (search: string, from: Pick<Venue, 'get'> = hall) =>
    labelsOf((await from.get(`/tags/sheet${search}`)).body)

  beforeAll(async () => {
    hall = await createVenue({ name: 'Hall' })
    const areas = ['Terrasse Süd', 'Hall', undefined]
    for (let table = 12; table > 0; table--) {
      const area = areas[table % 3]
      const metadata = [
        { key: 'table', value: `Table ${table}` },
        ...(area === undefined ? [] : [{ key: table % 2 ? 'Area' : 'area', value: area, visible: false }]),
      ]
      ids.unshift((await create(hall, metadata, { testMode: table === 12 })).id)
    }
  })

  test('is in the natural order of the labels, which do not repeat their key', async () => {
    expect(await read('')).toEqual(Array.from({ length: 12 }, (_, index) => `Table ${index + 1}`))
  })

  test('ignores the case of the area and of its key', async () => {
    const terrace = ['Table 3', 'Table 6', 'Table 9', 'Table 12']
    expect(await read(`?area=${encodeURIComponent('TERRASSE SÜD')}`)).toEqual(terrace)
    expect(await read(`?area=${encodeURIComponent(' terrasse süd ')}&testMode=false`)).toEqual(terrace.slice(0, 3))
    expect(await read('?area=terrasse')).toEqual([])
    expect(await read('?area=hall&q=Table')).toEqual(['Table 1', 'Table 4', 'Table 7', 'Table 10'])
  })

  test('takes ids, the search and the mode together', async () => {
    expect(await read(`?ids=${ids[10]},${ids[1]},tag_nothing`)).toEqual(['Table 2', 'Table 11'])
    expect(await read(`?ids=${ids[10]},${ids[1]}&q=11`)).toEqual(['Table 11'])
    expect(await read('?testMode=true')).toEqual(['Table 12'])
    const tester = await createKey(hall.id, { mode: 'test' })
    expect(await read('', tester)).toEqual(['Table 12'])
    expect(await read(`?ids=${ids[0]}`, tester)).toEqual([])
    expect(await read('?q=table', tester)).toEqual(['Table 12'])
  })

  test('takes external ids and the time of the last change', async () => {
    await hall.post(`/tags/${ids[4]}/external-id`, { externalId: 'five' })
    expect(await read('?externalIds=five')).toEqual(['Table 5'])
    const now = Math.floor(Date.now() / 1000)
    expect(await read(`?updatedSince=${now + 3_600}`)).toEqual([])
    expect(await read(`?updatedSince=${now - 3_600}`)).toHaveLength(12)
  })

  test('leaves out metadata that is damaged, never the tag', async () => {
    const broken = await createVenue()
    for (const metadata of ['{', '[1, null, {"key": 4}, {"key": "table", "value": "7", "visible": true}]']) {
      const { id } = await create(broken, [])
      await env.DB.batch([
        env.DB.prepare('pragma ignore_check_constraints = on'),
        env.DB.prepare('update tags set metadata = ? where id = ?').bind(metadata, id),
        env.DB.prepare('pragma ignore_check_constraints = off'),
      ])
    }
    expect(await read('', broken)).toEqual(['Table 7', ''])
  })

  test('is at most 1,000 tags; the page, the PDF and a header say how many more there are', async () => {
    const large = await createVenue({ name: 'Stadium' })
    const { id } = await create(large, [{ key: 'seat', value: '0' }])
    const copy = (from: number, to: number) =>
      env.DB.prepare(`
        with recursive seat(n) as (select ?1 union all select n + 1 from seat where n < ?2)
        insert into tags (id, merchant_id, test_mode, created_at, updated_at, version, nfc, metadata, code)
        select 'tag_' || ?3 || n, merchant_id, 0, 1, 1, 1, 0, json_array(json_object('key', 'seat', 'value', printf('%d', n), 'visible', json('true'))),
          printf('%016d', n) from seat, tags where id = ?4`)
        .bind(from, to, large.id, id)
        .run()
    await copy(1, 999)
    const whole = await large.get('/tags/sheet')
    expect([labelsOf(whole.body).length, whole.headers.get('tags-omitted')]).toEqual([1_000, '0'])
    expect(whole.body).not.toContain('class="notes"')
    await copy(1_000, 1_233)
    const { headers, body } = await large.get('/tags/sheet')
    const labels = labelsOf(body)
    expect([labels.length, labels[2], labels[10], labels.at(-1)]).toEqual([1_000, 'Seat 2', 'Seat 10', 'Seat 999'])
    expect(headers.get('tags-omitted')).toBe('234')
    const [first = '', ...rest] = body.split('<section class="page">').slice(1)
    const note = 'Codes that are not on this sheet: 234.'
    expect([first.includes(note), rest.some((page: string) => page.includes(note))]).toEqual([true, false])
    const { response, bytes } = await download(large, '?layout=avery-5160')
    const pdf = await readPdf(bytes)
    expect([response.headers.get('tags-omitted'), pdf.pages.length]).toEqual(['234', 34])
    expect(pdf.texts.map(spell).filter((text) => text.startsWith(note))).toHaveLength(1)
    // Tents cover the whole sheet: the note has a page of its own, outside the cards.
    const tents = await large.get('/tags/sheet?layout=a6-tents')
    expect(tents.body.indexOf('class="notes alone"')).toBeLessThan(tents.body.indexOf('<article'))
  })
})
