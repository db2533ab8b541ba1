import { readLatin1, toBytes, toDataView } from './bytes.ts'

/** Red, green and blue of a color space as XYZ values, adapted to D50. */
type Primaries = readonly (readonly [number, number, number])[]

/** Numbers of a parametric curve (ICC.1, 10.18), or its exponent alone. */
const srgbCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const
const adobeCurve = [2.19921875] as const

/** The color spaces whose profiles are kept, as new profiles without texts. */
const knownSpaces: readonly { primaries: Primaries; curve: readonly number[] }[] = [
  {
    primaries: [
      [0.43607, 0.22249, 0.01392],
      [0.38515, 0.71687, 0.09708],
      [0.14307, 0.06061, 0.7141],
    ],
    curve: srgbCurve,
  },
  // Display P3
  {
    primaries: [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
    curve: srgbCurve,
  },
  // Adobe RGB (1998)
  {
    primaries: [
      [0.60974, 0.31111, 0.01947],
      [0.20528, 0.62567, 0.06087],
      [0.14919, 0.06322, 0.74457],
    ],
    curve: adobeCurve,
  },
]

/** Maximum difference between the values of a profile and those of its color space. */
const tolerance = 0.005
/** Maximum number of tags that are read. Usual profiles have less than 20. */
const maxTags = 100
const headerBytes = 128

/** The offset of the data of a tag. */
function findTag(profile: Uint8Array, name: string): number | undefined {
  const view = toDataView(profile)
  const count = Math.min(view.getUint32(headerBytes), maxTags)
  for (let index = 0, at = headerBytes + 4; index < count; index++, at += 12) {
    if (readLatin1(profile, at, 4) === name) return view.getUint32(at + 4)
  }
  return undefined
}

const toFixed = (value: number) => Math.round(value * 65_536)

/** The values of a tag of type `XYZ `. */
function readXyz(profile: Uint8Array, name: string): readonly number[] | undefined {
  const at = findTag(profile, name)
  if (at === undefined || readLatin1(profile, at, 4) !== 'XYZ ') return undefined
  const view = toDataView(profile)
  return [8, 12, 16].map((offset) => view.getInt32(at + offset) / 65_536)
}

const isNear = (found: readonly number[] | undefined, known: readonly number[] | undefined) =>
  found?.every((value, index) => Math.abs(value - (known?.[index] ?? 0)) <= tolerance) === true

/** Writes a value of 4 bytes for each number, behind a signature. */
function writeNumbers(signature: string, ...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 + 4 * values.length)
  bytes.set(toBytes(signature))
  const view = toDataView(bytes)
  for (const [index, value] of values.entries()) view.setInt32(8 + 4 * index, value)
  return bytes
}

/** A curve: parametric of kind 3, or of kind 0 for an exponent alone. The kind is the upper half of the first number. */
const writeCurve = (curve: readonly number[]) =>
  writeNumbers('para', curve.length > 1 ? 3 << 16 : 0, ...curve.map(toFixed))

/** A profile (ICC version 4) with the numbers of a color space, and an empty name and copyright. */
function createProfile({ primaries, curve }: (typeof knownSpaces)[number]): Uint8Array {
  const white = [0.9642, 1, 0.82491].map(toFixed)
  const text = writeNumbers('mluc', 0, 12)
  const [red = [], green = [], blue = []] = primaries.map((values) => writeNumbers('XYZ ', ...values.map(toFixed)))
  const data = [text, writeNumbers('XYZ ', ...white), red, green, blue, writeCurve(curve)]
  const tags = { desc: 0, cprt: 0, wtpt: 1, rXYZ: 2, gXYZ: 3, bXYZ: 4, rTRC: 5, gTRC: 5, bTRC: 5 }
  const names = Object.entries(tags)
  const offsets: number[] = []
  let length = headerBytes + 4 + 12 * names.length
  for (const part of data) {
    offsets.push(length)
    length += part.length
  }
  const profile = new Uint8Array(length)
  const view = toDataView(profile)
  view.setUint32(0, length)
  view.setUint32(8, 0x04000000)
  profile.set(toBytes('mntrRGB XYZ '), 12)
  // The date must be valid: the first day of 2000.
  profile.set([7, 208, 0, 1, 0, 1], 24)
  profile.set(toBytes('acsp'), 36)
  for (const [index, value] of white.entries()) view.setInt32(68 + 4 * index, value)
  view.setUint32(headerBytes, names.length)
  for (const [index, [name, part]] of names.entries()) {
    const at = headerBytes + 4 + 12 * index
    profile.set(toBytes(name), at)
    view.setUint32(at + 4, offsets[part] ?? 0)
    view.setUint32(at + 8, data[part]?.length ?? 0)
  }
  for (const [index, part] of data.entries()) profile.set(part, offsets[index])
  return profile
}

/** A new profile of the color space of a profile; undefined if the color space is unknown, or the profile cannot be read. */
export function replaceProfile(profile: Uint8Array): Uint8Array | undefined {
  try {
    if (readLatin1(profile, 16, 4) !== 'RGB ' || readLatin1(profile, 36, 4) !== 'acsp') return undefined
    const found = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readXyz(profile, name))
    const space = knownSpaces.find(({ primaries }) => found.every((values, index) => isNear(values, primaries[index])))
    return space && createProfile(space)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
