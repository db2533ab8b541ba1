import { describe, expect, test } from 'vitest'
import { createPdfFonts } from '../../../src/storefront/print/pdf-fonts.ts'

describe('fonts', () => {
  const widthOf = (text: string) => createPdfFonts([]).set(text)?.width

  test('have the widths of Helvetica Bold', () => {
    expect(widthOf('Table 4')).toBe(611 + 556 + 611 + 278 + 556 + 278 + 556)
    expect(widthOf('€')).toBe(556)
    expect(widthOf('Ł')).toBe(611)
    expect(widthOf('Ж')).toBe(904)
    expect(widthOf('Ω')).toBe(802)
    expect(widthOf('卓')).toBe(1000)
  })

  test('write the capital ß, which they lack, as SS', () => {
    expect(widthOf('GRÖẞE')).toBe(widthOf('GRÖSSE'))
  })

  test('name glyphs that Windows-1252 lacks', async () => {
    const lettering = createPdfFonts([])
    lettering.set('Łódź ŞŢČ ČŁ')
    lettering.set('Ёлка Ђ Ґ')
    lettering.set('Ώρα ΐ ς')
    const fonts: string[] = []
    await lettering.fonts((object) => `${fonts.push(String(object))} 0 R`)
    expect(/Differences \[1 ([^\]]*)\]/.exec(fonts.join())?.[1]?.split(' ')).toEqual(
      '/Lslash /zacute /Scedilla /Tcommaaccent /Ccaron /afii10023 /afii10077 /afii10076 /afii10065 /afii10051 /afii10050 /Omegatonos /rho /alpha /iotadieresistonos /uni03C2'.split(
        ' ',
      ),
    )
  })

  test.each(['طاولة', 'שולחן', 'โต๊ะ', 'मेज़', 'աղյուսակ', 'ế', 'ﾃｰﾌﾞﾙ', '\u038b', 'ѝ'])(
    'refuse %s without a font pack rather than print something else',
    (text) => {
      expect(widthOf(text)).toBeUndefined()
      expect(widthOf(`4 ${text}`)).toBeUndefined()
    },
  )

  test('omit pictograms and invisible characters', () => {
    expect(widthOf('🌿 A\u202eB\u0007 👩‍👧🇩🇪')).toBe(widthOf('AB'))
    expect(widthOf('©')).toBe(737)
  })

  test.each([
    ['テーブル 卓', 'J', 'HeiseiKakuGo-W5'],
    ['자리 卓', 'K', 'HYGoThic-Medium'],
    ['桌子 卓', 'G', 'STSong-Light'],
  ])('set %s in a font of its language', async (text, name, font) => {
    const lettering = createPdfFonts([text])
    expect(lettering.set('卓')?.runs).toEqual([{ font: name, hex: '5353', dx: 0, dy: 0 }])
    const objects: string[] = []
    expect(Object.keys(await lettering.fonts((object) => `${objects.push(String(object))} 0 R`))).toEqual(['H', name])
    expect(objects.join()).toContain(`/BaseFont /${font}`)
  })
})
