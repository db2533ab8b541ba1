import { env } from 'cloudflare:workers'
import { createBitmap, deflate } from '../../../../src/storefront/qr/png.ts'

export const digest = '2v6q0k5m8r1t4x7z9c3f6h8k0n2q5s7v'
export const url = `https://menu.example/i/${digest}-3`

const uint32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >> shift) & 255)
export const chunk = (type: string, data: Iterable<number>) => {
  const bytes = [...data]
  // Nothing reads the check sum: an upload has checked it.
  return [...uint32(bytes.length), ...[...type].map((letter) => letter.charCodeAt(0)), ...bytes, 0, 0, 0, 0]
}

interface Png {
  size: readonly [width: number, height: number]
  depth?: number
  kind: number
  rows: readonly (readonly number[])[]
  chunks?: readonly (readonly [string, readonly number[]])[]
  interlace?: number
}

/** A PNG whose rows begin with their filter. */
export async function createPng({ size, depth = 8, kind, rows, chunks = [], interlace = 0 }: Png): Promise<Uint8Array> {
  const header = [...uint32(size[0]), ...uint32(size[1]), depth, kind, 0, 0, interlace]
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', header),
    ...chunks.flatMap(([type, data]) => chunk(type, data)),
    ...chunk('IDAT', await deflate(Uint8Array.from(rows.flat()))),
    ...chunk('IEND', []),
  ])
}

/** A PNG whose check sums are right. */
export const createValidPng = () =>
  createBitmap(
    [
      [true, false],
      [false, true],
    ],
    1,
    4,
  )

export async function store(bytes: Uint8Array, contentType: string) {
  await env.MEDIA.delete(`pictures/${digest}-3/paper`)
  await env.MEDIA.put(`pictures/${digest}-3`, bytes, { httpMetadata: { contentType } })
}
