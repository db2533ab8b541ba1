/** Readers of the pictures that the service draws, written from the formats' own texts and not from our writers. */

export interface Picture {
  width: number
  height: number
  isDark(x: number, y: number): boolean
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A PNG of one bit a pixel; throws at anything that our encoder should not have made. */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Picture> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>()
  for (let offset = 8; offset < bytes.length; ) {
    const length = view.getUint32(offset)
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8))
    chunks.set(type, bytes.slice(offset + 8, offset + 8 + length))
    offset += 12 + length
  }
  if ([...chunks.keys()].join() !== 'IHDR,IDAT,IEND') throw new Error(`chunks ${[...chunks.keys()]}`)
  const header = new DataView((chunks.get('IHDR') ?? new Uint8Array()).buffer)
  const [width, height] = [header.getUint32(0), header.getUint32(4)]
  if (header.getUint32(8) !== 0x01000000 || header.getUint8(12) !== 0) throw new Error('not 1 bit grayscale')
  const rows = await inflate(chunks.get('IDAT') ?? new Uint8Array())
  const rowLength = 1 + Math.ceil(width / 8)
  if (rows.length !== rowLength * height) throw new Error(`${rows.length} bytes of pixels`)
  for (let y = 0; y < height; y++) if (rows[y * rowLength] !== 0) throw new Error('filtered')
  return {
    width,
    height,
    isDark: (x, y) => (((rows[y * rowLength + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 0,
  }
}

/** The areas that an SVG path of `m h v z` fills, one point for each unit, by the rule of non-zero winding. */
export function fillPath(data: string, size: number): Picture {
  const winding = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0))
  let [x, y, startX, startY] = [0, 0, 0, 0]
  /** Every vertical line turns all that is to the right of it. */
  const moveTo = (toY: number) => {
    const [from, to, turn] = toY > y ? [y, toY, 1] : [toY, y, -1]
    for (let row = from; row < to; row++) {
      const line = winding[row]
      if (!line || x > size || x < 0) throw new Error('outside')
      line[x] = (line[x] ?? 0) + turn
    }
    y = toY
  }
  for (const [, command, first = '0', second = '0'] of data.matchAll(/([mhvz])(-?\d+)?(?: ?(-?\d+))?/g)) {
    if (command === 'm') [x, y] = [startX, startY] = [x + Number(first), y + Number(second)]
    else if (command === 'h') x += Number(first)
    else if (command === 'v') moveTo(y + Number(first))
    else {
      if (x !== startX && y !== startY) throw new Error('closes with a slant')
      moveTo(startY)
      x = startX
    }
  }
  const filled = winding.map((line) => {
    let sum = 0
    return line.map((turn) => {
      sum += turn
      return sum !== 0
    })
  })
  return { width: size, height: size, isDark: (column, row) => filled[row]?.[column] === true }
}

/** The same picture, each point `scale` wide and high, as RGBA. */
export function toRgba({ width, height, isDark }: Picture, scale = 1) {
  const data = new Uint8ClampedArray(4 * width * height * scale * scale).fill(255)
  for (let y = 0; y < height * scale; y++) {
    for (let x = 0; x < width * scale; x++) {
      if (isDark(Math.floor(x / scale), Math.floor(y / scale)))
        data.fill(0, 4 * (y * width * scale + x), 4 * (y * width * scale + x) + 3)
    }
  }
  return { data, width: width * scale, height: height * scale }
}
