import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { importLimits } from '../../../src/bulk/import/import-limits.ts'
import { createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { check, csv, jsonl, listIssues, settle, streamOf, toJsonLines, upload } from '../../support/imports.ts'
import { loseAnswers } from '../../support/moves.ts'
import { createQueue, retrieve, rows } from './import-queue.ts'

const venue = await createVenue()
const utf8 = new TextEncoder()

/** Rows that the database has of the imports of a merchant. */
async function countStored({ id }: Pick<Venue, 'id'>) {
  const counts = ['imports', 'import_chunks', 'import_issues'].map((table) =>
    env.DB.prepare(`select count(*) as count from ${table} where merchant_id = ?`).bind(id),
  )
  return (await env.DB.batch<{ count: number }>(counts)).map(({ results }) => results[0]?.count)
}

describe('an upload is refused', () => {
  test.each([
    ['UTF-16 with a byte order mark', new Uint8Array([0xff, 0xfe, 0x61, 0]), 0],
    ['UTF-16 without one', new Uint8Array([0x61, 0, 0x62, 0]), 1],
    ['Latin-1', new Uint8Array([...utf8.encode('title\nCr'), 0xe8, 0x6d]), 8],
    ['a character that is cut off', new Uint8Array([...utf8.encode('title\nCr'), 0xc3]), 8],
    ['an overlong form', new Uint8Array([0x61, 0xc0, 0x80]), 1],
    ['half of a surrogate pair', new Uint8Array([0x61, 0xed, 0xa0, 0x80]), 1],
  ])('as %s, with the offset of the byte', async (_, bytes, offset) => {
    const response = await upload(venue, 'resource=products', bytes)
    expect(toIssues(response)).toEqual([' invalid_character'])
    expect(response.body.errors[0].message).toBe(`is not text in UTF-8 at byte ${offset}`)
  })

  test('with the offset of a byte behind a part of the stream', async () => {
    const stream = new ReadableStream({
      start(controller) {
        // The first part ends within a character.
        controller.enqueue(new Uint8Array([...utf8.encode('title\nCr'), 0xc3]))
        controller.enqueue(new Uint8Array([0xa8, 0x6d, 0xff]))
        controller.close()
      },
    })
    const response = await upload(venue, 'resource=products', stream)
    expect(response.body.errors[0].message).toBe('is not text in UTF-8 at byte 11')
  })

  test('of more than 20,000 rows; nothing of it stays', async () => {
    const own = await createVenue()
    const file = (rows: number) => `title,price\n${'Tea,1\n'.repeat(rows)}`
    const response = await upload(own, 'resource=products', file(importLimits.rows + 1))
    expect(toIssues(response)).toEqual([' too_many'])
    expect(await countStored(own)).toEqual([0, 0, 0])
    const { status, body } = await upload(own, 'resource=products', file(importLimits.rows))
    expect([status, body.rows]).toEqual([202, importLimits.rows])
    await own.post(`/imports/${body.id}/cancel`, undefined)
  })

  test('of more than 10 MiB, declared or streamed', async () => {
    const line = `title,price\nTea,"${'1'.repeat(200_000)}"\n`
    const file = line.repeat(Math.ceil(importLimits.fileBytes / line.length))
    const exact = file.slice(0, importLimits.fileBytes - 1)
    for (const content of [`${exact}11`, streamOf(exact, '11')]) {
      const { status, body } = await upload(venue, 'resource=products', content)
      expect([status, body.code]).toEqual([413, 'body_too_large'])
    }
    const { status, body } = await upload(venue, 'resource=products', `${exact}1`)
    expect(status).toBe(202)
    await venue.post(`/imports/${body.id}/cancel`, undefined)
  })

  test('with a line of more than 1,500,000 characters, or one that takes more than 1,900,000 bytes as a JSON string', async () => {
    const line = (length: number, text = 'x') => `{"title":"${text.repeat(length - '{"title":""}'.length)}"}`
    const send = async (content: string) => toIssues(await upload(venue, 'resource=products', content, jsonl))
    const longest = line(importLimits.lineUnits)
    expect(await send(line(importLimits.lineUnits + 1))).toEqual([' too_long'])
    expect((await check(venue, 'resource=products', longest, jsonl)).state).toBe('failed')
    // `{"row":1,"raw":"{\\"title\\":\\"…\\"}"}`
    const around = JSON.stringify({ row: 1, raw: line('{"title":""}'.length) }).length
    const fits = `{"title":"${'é'.repeat((importLimits.storedRowBytes - around) / 2)}"}`
    expect((await check(venue, 'resource=products', fits, jsonl)).state).toBe('failed')
    expect(await send(fits.replace('é', 'éé'))).toEqual([' too_long'])
  })

  test.each([
    [csv, '', 'resource required'],
    [csv, 'resource=plates', 'resource invalid_value'],
    [csv, 'resource=menus', 'resource invalid_value'],
    [csv, 'resource=modifiers', 'resource invalid_value'],
    [csv, 'resource=coupons&match=sku', 'match conflict'],
    [csv, 'resource=products&match=sku&delete=missing', 'delete conflict'],
    [csv, 'resource=products&match=name', 'match invalid_value'],
    [csv, 'resource=products&delete=all', 'delete invalid_value'],
    [csv, 'resource=products&apply=yes', 'apply invalid_value'],
    [csv, 'resource=products&mode=x', 'mode unknown_parameter'],
    [jsonl, 'match=sku', 'match conflict'],
  ])('%j with the query %s', async (headers, query, issue) => {
    expect(toIssues(await upload(venue, query, 'title\nTea\n', headers))).toEqual([issue])
  })

  test.each(['application/json', 'text/plain', 'text/csv; charset=iso-8859-1', 'text/csv; charset=utf-16'])(
    'as %s',
    async (type) => {
      const { status, body } = await upload(venue, 'resource=products', 'title\nTea\n', { 'content-type': type })
      expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  test('without the scope of each resource in the file: one problem names all that are missing', async () => {
    const own = await createVenue()
    const key = await createKey(own.id, { mode: 'live', scopes: ['products:write', 'tags:read'] })
    expect((await upload(key, 'resource=customers', 'firstName\nA\n')).status).toBe(403)
    const lines = ['products', 'tags', 'coupons'].map((resource) => ({ resource, title: 'Tea' }))
    const { status, body } = await upload(key, '', toJsonLines(lines), jsonl)
    expect([status, body.detail]).toEqual([403, 'The key lacks the scopes tags:write, coupons:write.'])
    expect(await countStored(own)).toEqual([0, 0, 0])
  })

  test(`while ${importLimits.openImports} imports are not finished`, async () => {
    const own = await createVenue()
    const ids: string[] = []
    for (let n = 0; n < importLimits.openImports; n++) {
      ids.push((await upload(own, 'resource=products', 'title,price\nTea,1\n')).body.id)
    }
    expect((await upload(own, 'resource=products', 'title\nTea\n')).body).toMatchObject({
      status: 409,
      code: 'too_many',
    })
    await own.post(`/imports/${ids[0]}/cancel`, undefined)
    expect((await upload(own, 'resource=products', 'title,price\nTea,1\n')).status).toBe(202)
    for (const id of ids) await settle(own, id)
  })
})

describe('a file fails as a whole', () => {
  test.each([
    ['an unknown column', 'title,colour\nTea,red\n', ['1 colour unknown_field']],
    ['a read-only column', 'title,createdAt\nTea,1\n', ['1 createdAt unknown_field']],
    ['a column that comes twice', 'title,Title\nTea,Tea\n', ['1 Title duplicate']],
    ['no rows', 'title,price\n', ['1 required']],
    ['nothing in it', '', ['1 required']],
  ])('with %s', async (_, content, issues) => {
    const checked = await check(venue, 'resource=products', content)
    expect([checked.state, checked.checked, checked.failed]).toEqual(['failed', checked.rows, checked.rows])
    expect(await listIssues(venue, checked.id)).toEqual(issues)
    expect((await venue.post(`/imports/${checked.id}/apply`, undefined)).status).toBe(409)
  })

  test('as an export without its last line', async () => {
    const lines = [{ export: { merchantId: 'mer_1' } }, { resource: 'products', object: { title: 'Tea', price: 1 } }]
    const cut = await check(venue, '', toJsonLines(lines), jsonl)
    expect([cut.state, await listIssues(venue, cut.id)]).toEqual(['failed', ['2 required']])
    const whole = await check(venue, '', toJsonLines([...lines, { end: { counts: {} } }]), jsonl)
    expect([whole.state, whole.rows]).toEqual(['ready', 1])
  })
})

describe('a row has an issue', () => {
  test.each([
    ['a quote that does not end, in the last row', 'title,price\nTea,1\nCake,"2\n', ['3 invalid_format']],
    ['a quote that is not doubled', 'title,price\nTea,1\n"a"b,1\n', ['3 invalid_format']],
    ['more cells than the header', 'title,price\nTea,1\nTea, 1,x\n', ['3 too_many']],
    ['the external id of an earlier row', 'externalId,title,price\nA,Tea,1\nA,Cake,1\n', ['3 externalId duplicate']],
    ['the id of an earlier row', 'id,title,price\nA,Tea,1\nA,Cake,1\n', ['3 id duplicate']],
  ])('with %s', async (_, content, issues) => {
    const checked = await check(venue, 'resource=products', content)
    expect([checked.state, checked.failed, await listIssues(venue, checked.id)]).toEqual(['ready', 1, issues])
  })

  test.each([
    ['that is not JSON', '{"title"', ['2 invalid_format']],
    ['that is no object', '[]', ['2 invalid_type']],
    ['of another resource', '{"resource":"menus","title":"Tea"}', ['2 /resource invalid_value']],
    ['with an id that is no string', '{"id":1,"title":"Tea","price":1}', ['2 /id invalid_type']],
    ['with an unknown field', '{"title":"Tea","price":1,"colour":1}', ['2 /colour unknown_field']],
    ['with a read-only field', '{"title":"Tea","price":1,"createdAt":1}', ['2 /createdAt read_only_field']],
  ])('in a line of JSON %s', async (_, line, issues) => {
    const checked = await check(venue, 'resource=products', `{"title":"Tea","price":1}\n${line}\n`, jsonl)
    expect([checked.state, checked.failed, await listIssues(venue, checked.id)]).toEqual(['ready', 1, issues])
  })

  test('in a line that names no resource', async () => {
    const checked = await check(
      venue,
      '',
      '{"title":"Tea","price":1}\n{"resource":"products","title":"Tea","price":1}',
      jsonl,
    )
    expect(await listIssues(venue, checked.id)).toEqual(['1 /resource required'])
  })
})

test('an upload with an Idempotency-Key is made once', async () => {
  const own = await createVenue()
  const send = (content: string) => upload(own, 'resource=products', content, { ...csv, 'idempotency-key': 'a' })
  const [first, again] = [await send('title,price\nTea,1\n'), await send('title,price\nTea,1\n')]
  expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true'])
  expect((await own.get('/imports')).body).toHaveLength(1)
  expect((await send('title,price\nTea,2\n')).body.code).toBe('idempotency_key_reused')
  await settle(own, first.body.id)
})

test('an upload that is stored and whose answer is lost stays, and its Idempotency-Key returns it', async () => {
  const own = await createVenue({ home: 'd1' })
  const [losing, queue] = [createQueue({ DB: loseAnswers(/insert into "?import_issues/) }), createQueue()]
  const send = ({ upload }: typeof queue) =>
    upload(own, 'resource=products', rows(3), { ...csv, 'idempotency-key': 'a' })
  expect(await send(losing)).toBeUndefined()
  const id = await send(queue)
  await queue.consume({ merchant: own.id, testMode: false, import: id })
  expect(await retrieve(own, id)).toMatchObject({ state: 'ready', rows: 3, failed: 0 })
})
