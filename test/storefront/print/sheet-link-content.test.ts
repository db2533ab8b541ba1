import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'

test('a link to a sheet names tags by the ends of their ids, and by no number of a row', async () => {
  const venue = await createVenue()
  const create = async () => (await venue.post('/tags', {})).body.id as string
  const ids = [await create(), await create(), await create()]
  const contentOf = async (wanted: readonly string[]) => {
    const { body } = await venue.post('/tags/sheet-link', { ids: wanted })
    const [json = '', ends = ''] = (new URL(body.url).searchParams.get('s') ?? '').split('.')
    return {
      ends,
      content: JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(json, { alphabet: 'base64url' }))),
    }
  }
  const some = ids.slice(1)
  const { ends, content } = await contentOf([...some.toReversed(), 'tag_nothing'])
  expect(ends).toBe(some.map((id) => id.slice(-12)).join(''))
  expect(content).toEqual({
    merchantId: venue.id,
    scopeTestMode: false,
    idEnd: 12,
    format: expect.any(String),
    layout: expect.any(String),
  })
  // Rows of other merchants change nothing.
  await (await createVenue()).post('/tags', {})
  expect(await contentOf(some)).toEqual({ ends, content })
  expect(await contentOf(['tag_nothing'])).toEqual({ ends: '', content: { ...content, idEnd: 0 } })
})
