import { describe, expect, test } from 'vitest'
import { parseJsonPointer, toJsonPointer } from '../../../../src/platform/lib/encoding/json-pointer.ts'

describe.each([
  ['', []],
  ['/', ['']],
  ['/prices/1/product', ['prices', '1', 'product']],
  ['/a~1b/~0/~01', ['a/b', '~', '~1']],
  ['//~0~1/', ['', '~/', '']],
])('the pointer %o', (pointer, keys) => {
  test('is written with escaped keys', () => expect(toJsonPointer(keys)).toBe(pointer))

  test('is parsed to the keys', () => expect(parseJsonPointer(pointer)).toEqual(keys))
})

test('a pointer is written with the index of an element', () => expect(toJsonPointer(['prices', 0])).toBe('/prices/0'))
