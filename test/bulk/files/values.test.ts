import { describe, expect, test } from 'vitest'
import { normalizePhone } from '../../../src/bulk/files/table/read-cell.ts'
import { readBoolean } from '../../../src/bulk/files/values/booleans.ts'
import { splitCurrency } from '../../../src/bulk/files/values/currencies.ts'
import { isDate, isShortened } from '../../../src/bulk/files/values/damage.ts'
import { readNumber, removeNoise } from '../../../src/bulk/files/values/numbers.ts'
import { readPictures } from '../../../src/bulk/files/values/pictures.ts'

describe('a number', () => {
  test.each([
    ['1,234.56', 1234.56, 'point'],
    ['1.234,56', 1234.56, 'comma'],
    ['1 234,56', 1234.56, 'comma'],
    ['1\u202f234,56', 1234.56, 'comma'],
    ["1'234.56", 1234.56, 'point'],
    ['3,5', 3.5, 'comma'],
    ['3.50', 3.5, 'point'],
    ['12,34,567', 1234567, 'point'],
    ['1.234.567', 1234567, 'comma'],
    ['0.500', 0.5, 'point'],
    ['1000.000', 1000, 'point'],
    ['0,125', 0.125, 'comma'],
    ['15', 15, undefined],
    ['-4', -4, undefined],
    ['(4)', -4, undefined],
    ['.5', 0.5, 'point'],
    ['5.', 5, 'point'],
    ['1e3', 1000, undefined],
    ['19.990000000000002', 19.99, 'point'],
  ] as const)('%s has one reading', (text, value, format) => {
    expect(readNumber(text)).toEqual({ kind: 'one', value, format })
  })

  test.each([
    ['15.000', 15, 15000],
    ['1,250', 1250, 1.25],
    ['-1,250', -1250, -1.25],
    ['999.999', 999.999, 999999],
  ])('%s has two readings', (text, point, comma) => {
    expect(readNumber(text)).toEqual({ kind: 'either', point, comma })
  })

  test.each(['', 'variable', '1.2.3', '1,23.4.5', '12-5', '1.234,5.6', '..', '1'.repeat(41)])(
    '%s is no number',
    (text) => {
      expect(readNumber(text)).toBeUndefined()
    },
  )

  test('loses noise below 1e-9, and nothing above', () => {
    expect([removeNoise(19.990000000000002), removeNoise(0.12345), removeNoise(1.00001)]).toEqual([
      19.99, 0.12345, 1.00001,
    ])
  })
})

test.each([
  ['€3.50', '3.50', ['EUR']],
  ['3.50 €', '3.50', ['EUR']],
  ['EUR 3,50', '3,50', ['EUR']],
  ['$1,250.00', '1,250.00', expect.arrayContaining(['USD', 'CAD'])],
  ['-3 kr', '-3', expect.arrayContaining(['SEK', 'NOK'])],
  ['kr. 12', '12', expect.arrayContaining(['DKK'])],
  ['Rp 15.000', '15.000', ['IDR']],
  ['12.50', '12.50', undefined],
  ['¥500', '500', ['JPY', 'CNY']],
  ['a lot', 'a lot', undefined],
])('%s is an amount with its currency', (text, number, currencies) => {
  const split = splitCurrency(text)
  expect([split.number, split.currencies]).toEqual([number, currencies])
})

test.each([
  ['WAHR', true],
  ['FAUX', false],
  ['Ja', true],
  ['nein', false],
  ['sí', true],
  ['はい', true],
  ['否', false],
  ['Y', true],
  ['N', false],
  ['1', true],
  ['0', false],
  ['x', true],
  ['maybe', undefined],
  // Finnish "ei" and Turkish "evet" begin with the same letter.
  ['e', undefined],
])('the boolean %s', (text, expected) => expect(readBoolean(text)).toBe(expected))

test('an initial counts in the language of the headings', () => {
  expect([readBoolean('e', 'tr'), readBoolean('e', 'fi')]).toEqual([true, false])
})

test.each(['1,23E+12', '1.23457E+12', '4E+08'])('%s has lost its digits', (text) =>
  expect(isShortened(text)).toBe(true),
)
test.each(['1234567890123', 'E12', '12E', 'A-1E+5'])('%s is a code', (text) => expect(isShortened(text)).toBe(false))
test.each(['03. Mai', 'May-03', '3-Mär', '03.05.2026', '2026-05-03', '1. März 2026', '12 janv.'])(
  '%s is a date',
  (text) => expect(isDate(text)).toBe(true),
)
test.each(['3.05', '12', '3 Liter', '1.234,56', 'Mai Tai', '2-3'])('%s is no date', (text) =>
  expect(isDate(text)).toBe(false),
)

test.each([
  'https://a.example/1.jpg,https://a.example/2.jpg',
  'https://a.example/1.jpg;https://a.example/2.jpg',
  'https://a.example/1.jpg | https://a.example/2.jpg',
  'https://a.example/1.jpg\r\nhttps://a.example/2.jpg',
  'https://a.example/1.jpg, https://a.example/2.jpg',
])('%j has two pictures', (text) => {
  expect(readPictures(text)).toEqual(['https://a.example/1.jpg', 'https://a.example/2.jpg'])
})
test('a comma in an address separates nothing', () => {
  expect(readPictures('https://a.example/w_1,h_2/1.jpg')).toEqual(['https://a.example/w_1,h_2/1.jpg'])
})

describe('a phone number', () => {
  test.each([
    ['030/1234567', '030 1234567'],
    ['(555) 123-0002 ext. 4', '(555) 123-0002 x4'],
    ['(555) 123-0002   ext 4 ', '(555) 123-0002 x4'],
    ['+49 30 12 Durchwahl 7', '+49 30 12 x7'],
    ['next 4 x', 'next 4 x'],
  ])('%j is %j', (text, phone) => expect(normalizePhone(text)).toBe(phone))
})
