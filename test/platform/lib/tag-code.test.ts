import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createId } from '../../../src/platform/lib/ids.ts'
import { parseTagNames } from '../../../src/platform/lib/tag-code.ts'

const code = '4F7K9Q2MXR8TWN3B'

describe('the name in the path of a scan', () => {
  test.each([
    ['as it is printed', code],
    ['in small letters', code.toLowerCase()],
    ['in both', '4f7K9q2MXr8tWN3b'],
  ])('is a code %s', (_, path) => expect(parseTagNames(path)[0]).toBe(code))

  test('is a code with letters for digits', () => {
    expect(parseTagNames('O0oIlL1i23456789')[0]).toBe('0001111123456789')
  })

  test('is a code or an older alias of the same letters, code first', () => {
    expect(parseTagNames(code.toLowerCase())).toEqual([code, code.toLowerCase()])
    expect(parseTagNames(code)).toEqual([code])
  })

  test('is an id in any case, with letters for digits too', () => {
    const id = createId('tag')
    expect(parseTagNames(id)).toEqual([id])
    expect(parseTagNames(id.toUpperCase())[0]).toBe(id)
    expect(parseTagNames(id.replaceAll('0', 'O').replaceAll('1', 'l'))[0]).toBe(id)
  })

  test('is an older name, which is case-sensitive', () => {
    expect(parseTagNames('Table-4_b')).toEqual(['Table-4_b'])
    expect(parseTagNames('fXbQ2xYw9ZkLmN0pRtUv')).toEqual(['fXbQ2xYw9ZkLmN0pRtUv'])
    expect(parseTagNames('a')).toEqual(['a'])
    expect(parseTagNames('tag_Oil')).toContain('tag_Oil')
  })

  test.each([
    `${code}.`,
    `${code} `,
    ` ${code}`,
    `${code}+`,
    `${code}).`,
    `${code}\u00a0`,
    `${code}\u200b`,
    `${code}!”`,
    '4F7K-9Q2M-XR8T-WN3B,',
    '4F7K 9Q2M XR8T WN3B',
    '4f7k+9q2m+xr8t+wn3b.',
  ])('is a code with what people and mail programs add: %j', (path) => expect(parseTagNames(path)[0]).toBe(code))

  test.each([
    `${code}&utm_source=share`,
    `${code}?utm_source=share`,
    `${code}#menu`,
    `${code}&fbclid=${'a'.repeat(200)}`,
    `${code}=`,
    `\u201c${code}\u201d`,
    `\u00ab${code}\u00bb`,
    `\u201e${code}\u201c`,
    `'"(${code})"'`,
    `[${code}]`,
    `<${code}>.`,
    `\u300c${code}\u300d\u3002`,
    `\uff08${code}\uff09`,
    `**${code}**`,
    `\`${code}\`,`,
    `(${code}&x=1)`,
    `\u2067${code}\u2069`,
  ])('is a code mangled by share sheets and shorteners: %j', (path) => expect(parseTagNames(path)[0]).toBe(code))

  test.each(['&', '?x', `&${code}`, '""', '()'])('is nothing without a name: %j', (path) =>
    expect(parseTagNames(path)).toEqual([]),
  )

  test('preserves characters of older names', () => {
    expect(parseTagNames('Table-4_')).toEqual(['Table-4_'])
    expect(parseTagNames('Table-4-')).toEqual(['Table-4-'])
    expect(parseTagNames(`${'.'.repeat(100)}${'a'.repeat(64)}`)).toEqual([])
  })

  test.each([
    '',
    ' ',
    'a b',
    '../x',
    'a/b',
    'a.b',
    '%00',
    '\u0000',
    'ä',
    '４Ｆ７Ｋ',
    `${code}\r\n`,
    `${code}\n`,
    'x'.repeat(65),
    '💥',
  ])('is not a name: %j', (path) => expect(parseTagNames(path)).toEqual([]))

  test('has at most two candidates, each a possible name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (path) => {
        const names = parseTagNames(path)
        return (
          names.length <= 3 &&
          names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)) &&
          new Set(names).size === names.length
        )
      }),
    )
  })
})
