import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getForwardedParams, getRedirectUrl, withQueryParams } from '../../../src/storefront/tags/redirect-url.ts'
import type { TagRecord } from '../../../src/storefront/tags/tag-record.ts'

const tag: TagRecord = {
  version: 1,
  merchantId: 'mer_1',
  id: 'tag_1',
  code: '4F7K9Q2MXR8TWN3B',
  testMode: false,
  nfc: false,
  shown: [
    ['table', '4'],
    ['area', 'Garden & Terrace/2'],
    ['evil', '\r\nSet-Cookie: a=b'],
    ['host', '@evil.example//'],
    ['back', '\\\\evil.example'],
    ['table', '5'],
  ],
  gone: false,
}
const leadsTo = (orderingUrl: string, changes: Partial<TagRecord> = {}) =>
  getRedirectUrl({ ...tag, ...changes }, { version: 1, timezone: 'UTC', orderingUrl })

describe('the address of a redirect', () => {
  test('is the address for the mode of the tag', () => {
    const both = {
      version: 1,
      timezone: 'UTC',
      orderingUrl: 'https://live.example/',
      sandboxUrl: 'https://test.example/',
    }
    expect(getRedirectUrl(tag, both)).toBe('https://live.example/?tag=tag_1')
    expect(getRedirectUrl({ ...tag, testMode: true }, both)).toBe('https://test.example/?tag=tag_1')
    const { sandboxUrl, ...liveOnly } = both
    expect(getRedirectUrl({ ...tag, testMode: true }, liveOnly)).toBeUndefined()
    const { orderingUrl, ...testOnly } = both
    expect(getRedirectUrl(tag, testOnly)).toBeUndefined()
  })

  test.each([
    ['https://o.example/{tag}', 'https://o.example/tag_1'],
    ['https://o.example/{code}', 'https://o.example/4F7K9Q2MXR8TWN3B'],
    ['https://o.example/{merchant}', 'https://o.example/mer_1?tag=tag_1'],
    ['https://o.example/{merchant}/{tag}#{code}', 'https://o.example/mer_1/tag_1#4F7K9Q2MXR8TWN3B'],
    ['https://o.example/?t={metadata.table}&c={code}', 'https://o.example/?t=4&c=4F7K9Q2MXR8TWN3B'],
    ['https://o.example/{metadata.area}', 'https://o.example/Garden%20%26%20Terrace%2F2?tag=tag_1'],
    ['https://o.example/{metadata.hidden}/x', 'https://o.example//x?tag=tag_1'],
    ['https://o.example/{tag}/{tag}', 'https://o.example/tag_1/tag_1'],
  ])('is filled in: %s', (template, target) => expect(leadsTo(template)).toBe(target))

  test.each([
    ['https://o.example', 'https://o.example?tag=tag_1'],
    ['https://o.example/?', 'https://o.example/?tag=tag_1'],
    ['https://o.example/?a=1', 'https://o.example/?a=1&tag=tag_1'],
    ['https://o.example/#menu', 'https://o.example/?tag=tag_1#menu'],
    ['https://o.example/?a=1#menu?x', 'https://o.example/?a=1&tag=tag_1#menu?x'],
    ['https://o.example/?tag=mine', 'https://o.example/?tag=mine'],
    ['https://o.example/?tag', 'https://o.example/?tag'],
    ['https://o.example/?t%61g=mine', 'https://o.example/?t%61g=mine'],
    ['https://o.example/#tag=mine', 'https://o.example/?tag=tag_1#tag=mine'],
  ])('has the tag in its query, before a fragment, unless the template has it: %s', (template, target) =>
    expect(leadsTo(template)).toBe(target),
  )

  test('is not affected by metadata outside its placeholder', () => {
    for (const key of ['evil', 'host', 'back']) {
      for (const template of [
        'https://o.example/{metadata.K}',
        'https://o.example/?q={metadata.K}',
        'https://o.example{metadata.K}',
      ]) {
        const target = leadsTo(template.replace('K', key)) ?? ''
        expect(target).not.toMatch(/[\r\n\\]/)
        if (!template.includes('example{')) expect(new URL(target).host).toBe('o.example')
      }
    }
  })

  test('does not replace placeholders in values', () => {
    expect(
      leadsTo('https://o.example/{metadata.table}?c={code}', { shown: [['table', '{code}{metadata.table}$&']] }),
    ).toBe('https://o.example/%7Bcode%7D%7Bmetadata.table%7D%24%26?c=4F7K9Q2MXR8TWN3B')
  })

  test('always has the host of its template', () => {
    const templates = [
      'https://o.example/{metadata.k}',
      'https://o.example/x?y={metadata.k}#{metadata.k}',
      'https://o.example/#',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...templates),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        (template, value, query) => {
          const target = leadsTo(template, { shown: [['k', value]] }) ?? ''
          const location = withQueryParams(target, getForwardedParams(query))
          expect(new URL(location).host).toBe('o.example')
          expect(() => new Headers({ location })).not.toThrow()
          expect(location).toMatch(/^[\x21-\x7e]*$/)
        },
      ),
    )
  })
})

describe('parameters of the guest', () => {
  test('are utm parameters and a language only', () => {
    const query =
      'utm_source=a%20b&utm_campaign=%26&lang=de&tag=other&next=//evil.example&UTM_x=1&utm_=2&language=x&lang%5B%5D=y'
    expect(getForwardedParams(query)).toEqual([
      ['utm_source', 'a b'],
      ['utm_campaign', '&'],
      ['lang', 'de'],
    ])
    expect(getForwardedParams('')).toEqual([])
  })

  test('are at most ten', () => {
    expect(getForwardedParams(Array.from({ length: 50 }, (_, n) => `utm_${n}=1`).join('&'))).toHaveLength(10)
  })

  test('are encoded', () => {
    const added = withQueryParams(
      'https://o.example/#f',
      getForwardedParams('utm_source=%0D%0ASet-Cookie:x&utm_medium=%23%3F&lang=//evil.example'),
    )
    expect(added).toBe('https://o.example/?utm_source=%0D%0ASet-Cookie%3Ax&utm_medium=%23%3F&lang=%2F%2Fevil.example#f')
  })

  test('do not replace parameters of the address', () => {
    expect(
      withQueryParams(
        'https://o.example/?lang=fr&utm_source=',
        getForwardedParams('lang=de&utm_source=x&utm_medium=y'),
      ),
    ).toBe('https://o.example/?lang=fr&utm_source=&utm_medium=y')
  })

  test('leave the address unchanged if the tag has none', () => {
    expect(withQueryParams('https://o.example/?', [])).toBe('https://o.example/?')
  })
})
