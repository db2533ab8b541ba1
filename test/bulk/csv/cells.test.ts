import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  joinElements,
  protectCell,
  protectFormula,
  splitElements,
  toCsvLine,
  unprotectFormula,
} from '../../../src/bulk/csv/cells.ts'

describe('a cell that a spreadsheet would run as a formula', () => {
  test.each([
    '=1+1',
    '+49 30 1',
    '-x',
    '@home',
    "'=1",
    "''@",
    '-',
    '=',
    '+1 2',
    '\t=1',
    '\r=1',
    '\n1',
    '\t',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    "'＝1",
  ])('%s gets an apostrophe', (text) => {
    expect(protectFormula(text)).toBe(`'${text}`)
    expect(unprotectFormula(`'${text}`)).toBe(text)
  })

  test.each(['', 'a=b', '-1', '+1.5', '-.5', '-1e-7', '+4930', "it's", "'quoted'"])('%j stays as it is', (text) => {
    expect(protectFormula(text)).toBe(text)
    expect(unprotectFormula(text)).toBe(text)
  })

  test('is read back unchanged, with any characters', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '1', 'a', ' ', '.'),
    })
    fc.assert(fc.property(text, (value) => unprotectFormula(protectFormula(value)) === value))
    // A protected cell of a client's file keeps its meaning when it is protected again.
    fc.assert(fc.property(text, (cell) => unprotectFormula(protectCell(cell)) === unprotectFormula(cell)))
  })
})

describe('a list in one cell', () => {
  test('has separators between its elements, and white space around them does not count', () => {
    expect(joinElements(['a', 'b'])).toBe('a|b')
    expect(splitElements(' a | b ||c|')).toEqual(['a', 'b', 'c'])
    expect(splitElements('')).toEqual([])
  })

  test('comes back as it was, with separators and backslashes in its elements', () => {
    const element = fc.string({ minLength: 1, unit: fc.constantFrom('|', '\\', 'a', '/') })
    fc.assert(
      fc.property(fc.array(element), (value) => {
        expect(splitElements(joinElements(value))).toEqual(value)
      }),
    )
  })
})

test('cells with separators, quotes, line breaks or white space at an end are quoted', () => {
  expect(toCsvLine(['a', 'b,c', 'say "x"', '1\n2', ' d', 'e;f', ''])).toBe('a,"b,c","say ""x""","1\n2"," d","e;f",\r\n')
})
