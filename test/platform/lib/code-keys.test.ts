import { describe, expect, test } from 'vitest'
import { foldCode, foldCodeBefore, toCodeKeys } from '../../../src/platform/lib/languages/code-keys.ts'

describe('a folded code', () => {
  test.each([
    ['Summer10', 'ＳＵＭＭＥＲ１０'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ﬁve', 'FIVE'],
    ['é', 'e\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['ǆ', 'Ǆ'],
    ['İSTANBUL', 'istanbul'],
    ['ISTANBUL', 'ıstanbul'],
    ['i\u0323\u0307', 'ị'],
    ['SOFT\u00adTEA', 'softtea'],
    ['T\u200dE\ufe0fA\u3164', 'tea'],
    ['ᾳ', 'ΑΙ'],
  ])('is the same for %s and %s', (a, b) => expect(foldCode(a)).toBe(foldCode(b)))

  test.each([
    ['e', 'é'],
    ['A1', 'A-1'],
    ['0', 'O'],
    ['a', 'а'],
  ])('distinguishes %s from %s', (a, b) => expect(foldCode(a)).not.toBe(foldCode(b)))

  test('is empty without a visible character', () => expect(foldCode('\u200b\u2060\u115f')).toBe(''))

  test('is the same for all forms of every character, folded again, and folded by earlier releases', () => {
    const different: string[] = []
    let count = 0
    for (let point = 0x20; point < 0x1ffff; point++) {
      const text = String.fromCodePoint(point)
      if (!text.isWellFormed()) continue
      count += 1
      const key = foldCode(text)
      const forms = [key, text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), foldCodeBefore(text)]
      if (forms.some((form) => foldCode(form) !== key)) different.push(point.toString(16))
    }
    expect([different, count]).toEqual([[], 0x1ffff - 0x20 - 0x800])
  })

  test('has the key of earlier releases if it differs', () => {
    expect(toCodeKeys('Ten')).toEqual({ codeKey: 'ten', oldKey: null })
    expect(toCodeKeys('Kız')).toEqual({ codeKey: 'kiz', oldKey: null })
    expect(toCodeKeys('İZ\u00ad')).toEqual({ codeKey: 'iz', oldKey: 'i̇z\u00ad' })
  })
})
