import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { requireLinear } from '../../support/count-steps.ts'

const { getPaperPicture } = await import('../../../src/storefront/print/logo/paper-picture.ts')

const chunk = (type: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return [length, Buffer.from(type), data, Buffer.alloc(4)]
}

/** A PNG whose rows have every filter, in pieces. */
function createPng(width: number, height: number, pieces: number): Uint8Array {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const rows = Buffer.concat(
    Array.from({ length: height }, (_, y) => Buffer.from([y % 5, ...Array(4 * width).fill(y & 127)])),
  )
  const data = deflateSync(rows)
  const size = Math.ceil(data.length / pieces)
  const parts = Array.from({ length: pieces }, (_, index) => data.subarray(index * size, (index + 1) * size))
  return Buffer.concat([
    Buffer.alloc(8),
    ...[chunk('IHDR', header), ...parts.map((part) => chunk('IDAT', part)), chunk('IEND', Buffer.alloc(0))].flat(),
  ])
}

/** R2 with one picture, as far as printing uses it. */
const toEnv = (picture: Uint8Array): Parameters<typeof getPaperPicture>[0] => {
  const bucket = {
    get: async (key: string) => (key.endsWith('/paper') ? null : { bytes: async () => picture }),
    put: async () => undefined,
    head: async () => ({}),
  }
  return { MEDIA: bucket } as never
}

const name = { digest: 'x', width: 1 }

describe('the steps of a picture for paper grow with its size', () => {
  test.each([
    ['in width', (count: number) => createPng(count, 20, 1)],
    ['in height', (count: number) => createPng(20, count, 1)],
    ['in pieces of its pixels', (count: number) => createPng(20, 20, count)],
  ])('%s', async (_, create) => {
    await requireLinear(create, async (png) => expect(await getPaperPicture(toEnv(png), name)).toBeDefined(), 400)
  })
})
