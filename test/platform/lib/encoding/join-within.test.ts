import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatenate } from '../../../../src/platform/lib/encoding/concatenate.ts'
import { joinWithin } from '../../../../src/platform/lib/encoding/join-within.ts'

const large = 100_000

test('parts in the order of the file are joined in its memory', () => {
  const file = Uint8Array.from({ length: 4 * large }, (_, index) => index % 251)
  const parts = [file.subarray(0, 10), Uint8Array.of(1, 2), file.subarray(20, 20 + large), file.subarray(30 + large)]
  const expected = concatenate(parts)
  const joined = joinWithin(file, parts)
  expect(joined.buffer).toBe(file.buffer)
  expect(joined).toEqual(expected)
})

test('whatever the parts are, they are joined as in new memory', () => {
  const piece = fc.record({ start: fc.nat(3 * large), length: fc.nat(large), isForeign: fc.boolean() })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const file = Uint8Array.from({ length: 3 * large }, (_, index) => (index * 7) % 253)
      const parts = pieces.map(({ start, length, isForeign }) =>
        isForeign ? file.slice(start, start + length) : file.subarray(start, start + length),
      )
      const expected = concatenate(parts)
      expect(Buffer.compare(joinWithin(file, parts), expected)).toBe(0)
    }),
    { numRuns: 60 },
  )
})
