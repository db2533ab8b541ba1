import { describe, expect, test } from 'vitest'
import { requireLinear } from '../../support/count-steps.ts'
import { createAnimation, createAvif, createJpeg } from '../../support/large/pictures.ts'

const { cleanPicture } = await import('../../../src/storefront/media/formats/picture.ts')

describe('the steps of cleaning a picture grow with its size, whatever it has many of', () => {
  test.each([
    ['boxes and extents of AVIF', (count: number) => createAvif({ boxes: count, extents: count })],
    ['extents of AVIF in one box', (count: number) => createAvif({ extents: count })],
    ['boxes and inner extents of AVIF', (count: number) => createAvif({ insideBoxes: count, extents: count })],
    ['items of AVIF', (count: number) => createAvif({ items: count, boxes: count })],
    ['associations of AVIF', (count: number) => createAvif({ associations: count, properties: count })],
    ['frames of WebP', (count: number) => createAnimation(count, 1)],
    ['parts of a frame of WebP', (count: number) => createAnimation(1, count)],
    ['tables of JPEG', (count: number) => createJpeg({ tables: count })],
    ['fill bytes of JPEG', (count: number) => createJpeg({ fill: count })],
    ['escaped bytes of JPEG', (count: number) => createJpeg({ escapes: count })],
  ])('%s', async (_, create) => {
    expect(await requireLinear(create, cleanPicture, 500)).toBeLessThan(1_000_000)
  })
})
