import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/platform/http/fields.ts'
import { toIssues } from '../../support/api.ts'
import { pictures, smallPicture } from '../../support/pictures.ts'
import { createForm, createProduct, fetchPicture, upload } from './picture-requests.ts'

/** The JPEG without its orientation: 40 by 20 pixels. */
const wide = (() => {
  const at = new TextDecoder('latin1').decode(pictures.jpeg).indexOf('Exif')
  const copy = pictures.jpeg.slice()
  copy.set([0x58], at)
  return copy
})()

describe('variants', () => {
  test('are stored with the picture, and their widths are in its address', async () => {
    const { venue, path, images } = await createProduct()
    const upright = (await import('../../../src/storefront/media/formats/picture.ts')).cleanPicture(smallPicture)
    expect(upright).toMatchObject({ width: 20, height: 10 })
    const large = createForm([
      ['image', wide],
      ['variant', smallPicture],
    ])
    const { status, body } = await upload(venue, `${path}/images`, large)
    expect([status, body.width, body.height]).toEqual([201, 40, 20])
    expect(body.url).toMatch(/-40-20$/)
    expect(await images()).toEqual([body.url])
    const small = await fetchPicture(body.url.replace('-40-20', '-20'))
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await fetchPicture(body.url)).headers.get('content-type')).toBe('image/jpeg')
    expect((await fetchPicture(body.url.replace('-40-20', '-30'))).status).toBe(404)
  })

  test.each([
    ['no picture', [['variant', smallPicture]], ['/image required']],
    [
      'two pictures',
      [
        ['image', pictures.png],
        ['image', pictures.jpeg],
      ],
      ['/image too_many'],
    ],
    [
      'another part',
      [
        ['image', pictures.png],
        ['alt', 'Coffee'],
      ],
      ['/alt unknown_field'],
    ],
    ['a text', [['image', 'coffee.png']], [' invalid_type']],
    [
      'a broken variant',
      [
        ['image', pictures.png],
        ['variant', pictures.png.subarray(0, 99)],
      ],
      ['/variant/0 invalid_format'],
    ],
    [
      'another shape',
      [
        ['image', pictures.png],
        ['variant', smallPicture],
      ],
      ['/variant/0 duplicate'],
    ],
    [
      'a larger variant',
      [
        ['image', smallPicture],
        ['variant', pictures.png],
      ],
      ['/variant/0 duplicate'],
    ],
  ] as const)('%s is refused', async (_, parts, issues) => {
    const { venue, path } = await createProduct()
    expect(toIssues(await upload(venue, `${path}/images`, createForm(parts)))).toEqual(issues)
  })

  test('are at most eight, smaller, and of the same shape', async () => {
    const { venue, path } = await createProduct()
    const send = async (file: Uint8Array, ...variants: readonly Uint8Array[]) =>
      toIssues(
        await upload(
          venue,
          `${path}/images`,
          createForm([['image', file], ...variants.map((v) => ['variant', v] as const)]),
        ),
      )
    expect(await send(wide, ...Array(limits.pictureVariants + 1).fill(smallPicture))).toEqual(['/variant too_many'])
    expect(await send(smallPicture, wide)).toEqual(['/variant/0 too_large'])
    expect(await send(wide, pictures.png)).toEqual(['/variant/0 conflict'])
  })
})
