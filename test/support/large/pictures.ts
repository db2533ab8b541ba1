/** Pictures with as many parts as wanted, each as small as its format allows. They are valid unless they have too many parts. */

const bytesOf = (value: number, length: number) =>
  Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256)
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))
const range = <Item>(count: number, create: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => create(index))

const box = (type: string, ...content: readonly (readonly number[])[]) => {
  const data = content.flat()
  return [...bytesOf(data.length + 8, 4), ...letters(type), ...data]
}
const full = (type: string, version: number, ...content: readonly (readonly number[])[]) =>
  box(type, [version, 0, 0, 0], ...content)

/** Properties of a picture that describe it, and known ones with more than they need. */
const createMarkedProperties = (marker: string) => [
  ...['udes', 'crtt', 'mdft', 'altt'].flatMap((type) => full(type, 0, letters(marker))),
  ...['uuid', 'irot', 'pasp', 'pixi', 'xxxx'].flatMap((type) => box(type, letters(marker.repeat(5)))),
  ...full('auxC', 0, letters(`urn:${marker}\0`)),
  ...box('colr', letters('prof'), letters(marker.repeat(99))),
  ...box('colr', letters('rICC'), letters(marker)),
  ...box('colr', letters('nclx'), bytesOf(0, 7), letters(marker)),
]

interface AvifParts {
  /** Boxes `mdat`, and extents of the picture: one in each box, or in the first ones. */
  boxes?: number
  extents?: number
  /** Extents in `idat` instead, behind as many unknown boxes. */
  insideBoxes?: number
  /** Boxes `ipma`, which say that they have as many entries as the file has room for. */
  associations?: number
  properties?: number
  items?: number
  /** A text in each place that is not needed to show the picture. */
  marker?: string
}

/** An AVIF whose pixels are in many pieces. */
export function createAvif(parts: AvifParts): Uint8Array<ArrayBuffer> {
  const { boxes = 1, extents = 1, insideBoxes = 0, associations = 1, properties = 1, items = 1, marker = '' } = parts
  const isInside = insideBoxes > 0
  const head = box('ftyp', letters('avif'), bytesOf(0, 4), letters('mif1'))
  const createMeta = (mediaStart: number) =>
    full(
      'meta',
      0,
      full('pitm', 0, bytesOf(1, 2)),
      full(
        'iinf',
        0,
        bytesOf(items, 2),
        range(items, (item) =>
          full('infe', 2, bytesOf(item + 1, 2), bytesOf(0, 2), letters('av01'), letters(`${marker}\0`)),
        ).flat(),
      ),
      full(
        'iloc',
        1,
        [0x44, 0],
        bytesOf(items, 2),
        range(items, (item) => [
          ...bytesOf(item + 1, 2),
          ...bytesOf(isInside ? 1 : 0, 2),
          ...bytesOf(0, 2),
          ...bytesOf(item === 0 ? extents : 1, 2),
          ...range(item === 0 ? extents : 1, (extent) => [
            ...bytesOf(isInside ? extent : mediaStart + 9 * (extent % boxes) + 8, 4),
            ...bytesOf(1, 4),
          ]).flat(),
        ]).flat(),
      ),
      box(
        'iprp',
        box('ipco', [
          ...range(properties, () => full('ispe', 0, bytesOf(20, 4), bytesOf(10, 4))).flat(),
          ...(marker === '' ? [] : createMarkedProperties(marker)),
        ]),
        range(associations, (index) => full('ipma', 0, bytesOf(1, 4), bytesOf(index + 1, 2), [1, 1])).flat(),
      ),
      ...(marker === ''
        ? []
        : [
            full('hdlr', 0, bytesOf(0, 4), letters('pict'), bytesOf(0, 12), letters(`${marker}\0`)),
            full('iref', 0, box('text', letters(marker))),
            box('grpl', full('text', 0, letters(marker))),
            box('uuid', letters(marker)),
          ]),
      range(insideBoxes, () => box('free')).flat(),
      isInside
        ? box(
            'idat',
            range(extents, () => 7),
          )
        : [],
    )
  const mediaStart = head.length + createMeta(0).length
  return Uint8Array.from([...head, ...createMeta(mediaStart), ...range(boxes, () => box('mdat', [7])).flat()])
}

/** A WebP animation with empty chunks in its frames. */
export function createAnimation(frames: number, chunksPerFrame: number): Uint8Array<ArrayBuffer> {
  const little = (value: number, length: number) => bytesOf(value, length).reverse()
  const chunk = (type: string, data: readonly number[]) => [...letters(type), ...little(data.length, 4), ...data]
  const frame = chunk('ANMF', [...bytesOf(0, 16), ...range(chunksPerFrame, () => chunk('ALPH', [])).flat()])
  const content = [
    ...chunk('VP8X', [2, 0, 0, 0, ...little(19, 3), ...little(9, 3)]),
    ...range(frames, () => frame).flat(),
  ]
  return Uint8Array.from([...letters('RIFF'), ...little(content.length + 4, 4), ...letters('WEBP'), ...content])
}

const segment = (code: number, data: readonly number[]) => [0xff, code, ...bytesOf(data.length + 2, 2), ...data]

/** A JPEG with empty tables, fill bytes and escaped bytes in its scan. */
export const createJpeg = ({ tables = 0, fill = 0, escapes = 0, profiles = 0 }) =>
  Uint8Array.from([
    ...[0xff, 0xd8],
    ...range(tables, () => segment(0xdb, [])).flat(),
    ...range(profiles, (index) => segment(0xe2, [...letters('ICC_PROFILE\0'), index, profiles])).flat(),
    ...range(fill, () => 0xff),
    ...segment(0xc0, [8, 0, 10, 0, 20, 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...range(escapes, () => [0xff, 0]).flat(),
    ...[7, 0xff, 0xd9],
  ])
