import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

const paper: Color = [0xfd, 0xf9, 0xf3]
/** Circles of the plate, from the largest: share of the radius, and color. */
const circles: readonly (readonly [radius: number, color: Color])[] = [
  [1, [0x96, 0x38, 0x0f]],
  [0.66, [0xfd, 0xf9, 0xf3]],
  [0.42, [0xea, 0xdf, 0xce]],
]

function createChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Draws the plate of the service as a PNG: the icon of pages, and the picture of links to venues without one. `share`: the plate's share of the height. */
export function drawPlate(width: number, height: number, share: number): Uint8Array {
  const radius = (height * share) / 2
  const row = 1 + 3 * width
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2)
      // Edges are mixed over the width of a pixel.
      const color = circles.reduce<Color>((below, [part, above]) => {
        const cover = Math.min(1, Math.max(0, radius * part - distance + 0.5))
        const mix = (a: number, b: number) => Math.round(a + (b - a) * cover)
        return [mix(below[0], above[0]), mix(below[1], above[1]), mix(below[2], above[2])]
      }, paper)
      pixels.set(color, y * row + 1 + 3 * x)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of three colors.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(pixels, { level: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}
