import { describe, expect, test } from 'vitest'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, upload } from '../../support/imports.ts'

const { couponWords } = await import('../../../src/bulk/files/table/coupons/coupon-words.ts')
const { planTable } = await import('../../../src/bulk/files/table/plan.ts')

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'
const seconds = (time: string) => Date.parse(time) / 1000

/** Imports a file, and returns the coupons by code, with their limits. */
async function load(venue: Venue, lines: readonly string[], query = auto) {
  const done = await importFile(venue, query, `${lines.join('\n')}\n`, text)
  const coupons: { id: string; code: string }[] = (await venue.get('/coupons?order=asc')).body
  const entries = await Promise.all(
    coupons.map(async ({ id, code, ...coupon }) => {
      const limits = (await venue.get(`/coupons/${id}/limits`)).body
      return [code, { ...coupon, limits }] as const
    }),
  )
  return { done, issues: await listIssues(venue, done.id), coupons: Object.fromEntries(entries) }
}

describe('headings of coupons', () => {
  test('are known in every language of the pages: a word of each names its field', () => {
    const { length } = pageLanguages
    for (const [field, lines] of Object.entries(couponWords)) {
      const words = lines.flatMap((line) => line.split(','))
      expect(`${field} ${words.length >= length}`).toBe(`${field} true`)
      for (const word of words) {
        const [column] = planTable(
          ['Gutscheincode', word].slice(field === 'code' ? 1 : 0),
          'coupons',
          {},
        ).columns.slice(-1)
        expect([field, word, column?.to]).toEqual([field, word, field])
      }
    }
  })

  test('of a percentage and an amount are read when one of both is zero', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const { issues, coupons } = await load(venue, [
      'Gutscheincode;Rabatt in Prozent;Rabattbetrag',
      'ZEHN;10;0,00 €',
      'FUENF;0,0 %;5,00 €',
    ])
    expect(issues).toEqual([])
    expect(coupons).toMatchObject({ ZEHN: { type: 'PERCENTAGE', value: 10 }, FUENF: { type: 'FIXED', value: 5 } })
  })

  test('of a list as people write it are read without a question', async () => {
    const venue = await createVenue({ currency: 'EUR', timezone: 'Europe/Berlin' })
    const { issues, coupons, done } = await load(venue, [
      'Gutscheincode;Bezeichnung;Rabatt;Mindestbestellwert;Gültig ab;Gültig bis;Max. Einlösungen;Einlösungen pro Kunde;Status',
      'SOMMER;Sommer;10 %;25,00 €;01.07.2026;31.08.2026;100;1;aktiv',
      'FUENF;Fünf Euro;5,00 €;;;;;;inaktiv',
    ])
    expect([issues, done.reading.questions, done.state]).toEqual([[], [], 'done'])
    expect(coupons).toMatchObject({
      SOMMER: {
        ...{ title: 'Sommer', type: 'PERCENTAGE', value: 10, minimumOrderAmount: 25, active: true },
        limits: {
          startsAt: seconds('2026-07-01T00:00:00+02:00'),
          endsAt: seconds('2026-09-01T00:00:00+02:00'),
          ...{ maxRedemptions: 100, maxRedemptionsPerCustomer: 1 },
        },
      },
      FUENF: { type: 'FIXED', value: 5, active: false, limits: {} },
    })
  })

  test('do not make coupons of products: a code and an amount are no coupon', async () => {
    const venue = await createVenue()
    const { reading } = await check(venue, auto, 'Code,Name,Type,Amount\nA1,Tea,hot,2.50\n', text)
    expect(reading.columns.map(({ to }: { to: string | null }) => to)).toContain('price')
  })
})

describe('a question', () => {
  test('asks what discounts without a sign or a type are, and the answer is kept', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const file = 'Coupon,Discount\nTEN,10\nFIVE,5\n'
    const { body: asking } = await upload(venue, auto, file, text)
    expect(asking.reading.questions).toEqual([
      { code: 'discount_type', column: 'Discount', samples: ['10', '5'], choices: ['percent', 'amount'] },
    ])
    await venue.post(`/imports/${asking.id}/mapping`, { discountType: 'percent' })
    await settle(venue, asking.id)
    await venue.post(`/imports/${asking.id}/apply`, undefined)
    await settle(venue, asking.id)
    expect((await venue.get('/coupons?order=asc')).body).toMatchObject([
      { title: 'TEN', code: 'TEN', type: 'PERCENTAGE', value: 10 },
      { code: 'FIVE', type: 'PERCENTAGE', value: 5 },
    ])
    const again = await check(venue, auto, file, text)
    expect([again.reading.remembered, again.reading.questions, again.check.unchanged]).toEqual([true, [], 2])
  })

  test('asks for the order of day and month, unless a date of the file says it', async () => {
    const venue = await createVenue({ timezone: 'UTC' })
    const { body: open } = await upload(
      venue,
      auto,
      'Coupon code,Discount,Valid until\nA,5%,03/04/2027\nB,5%,01/02/2027\n',
      text,
    )
    expect(open.reading.questions).toMatchObject([
      { code: 'date_format', column: 'Valid until', samples: ['03/04/2027', '01/02/2027'] },
    ])
    await venue.post(`/imports/${open.id}/mapping`, { dateFormat: 'month_first' })
    await settle(venue, open.id)
    const { body } = await venue.get(`/imports/${open.id}/preview`)
    expect(body[0].object.code).toBe('A')
    const { coupons } = await load(venue, [
      'Coupon code,Discount,Valid until',
      'C,5%,03/04/2027',
      'D,5%,31/12/2027 18:30',
    ])
    expect([coupons['C']?.limits, coupons['D']?.limits]).toEqual([
      { endsAt: seconds('2027-04-04T00:00:00Z') },
      { endsAt: seconds('2027-12-31T18:30:00Z') },
    ])
  })

  test('asks which column is the code; a discount of a till has none', async () => {
    const venue = await createVenue()
    const { body: asking } = await upload(
      venue,
      auto,
      'Id,Name,DiscountType,Percentage,Amount,Currency\nD1,Staff,FIXED_PERCENTAGE,15,,\nD2,Token,FIXED_AMOUNT,,2.00,EUR\n',
      text,
    )
    expect([asking.reading.preset, asking.reading.questions]).toEqual([
      'square_discounts',
      [{ code: 'column', column: 'code', samples: [], choices: expect.arrayContaining(['Name']) }],
    ])
  })
})

describe('an export of coupons', () => {
  test('of Shopify has negative values, times with an offset, and kinds that no coupon here can have', async () => {
    const venue = await createVenue({ currency: 'USD' })
    const head =
      'Name,Value,Value Type,Type,Discount Class,Minimum Purchase Requirements,Combines with Order Discounts,Combines with Product Discounts,Combines with Shipping Discounts,Customer Selection,Times Used In Total,Applies Once Per Customer,Usage Limit Per Code,Status,Start,End'
    const { done, issues, coupons } = await load(venue, [
      head,
      'SPRING15,-15.0,percentage,Amount off order,order,,,,,all,37,1,200,Active,2026-03-01 09:00:00 -0600,2027-03-31 23:59:00 -0600',
      'SAVE5,-5.0,fixed_amount,Amount off order,order,20.00,1,1,,all,0,,,Expired,2025-01-01 00:00:00 -0600,',
      'SHIPFREE,-100.0,percentage,Free shipping,shipping,,,,,all,4,,,Active,2025-01-01 00:00:00 -0600,',
      'VIP,-20.0,percentage,Amount off order,order,,,,,Specific customers,4,,,Active,2025-01-01 00:00:00 -0600,',
    ])
    expect([done.reading.preset, done.reading.questions]).toEqual(['shopify_discounts', []])
    expect(issues).toEqual([
      '4 Type invalid_value',
      '4 Discount Class invalid_value',
      '5 Customer Selection invalid_value',
    ])
    expect(coupons).toMatchObject({
      SPRING15: {
        ...{ title: 'SPRING15', type: 'PERCENTAGE', value: 15, timesRedeemed: 37, individualUse: true },
        limits: {
          startsAt: seconds('2026-03-01T15:00:00Z'),
          endsAt: seconds('2027-04-01T05:59:00Z'),
          ...{ maxRedemptions: 200, maxRedemptionsPerCustomer: 1 },
        },
      },
      SAVE5: { type: 'FIXED', value: 5, active: false, individualUse: false, minimumOrderAmount: 20 },
    })
    expect(Object.keys(coupons)).toHaveLength(2)
  })

  test('of WooCommerce ends with the beginning of a day, and updates the same coupons again', async () => {
    const venue = await createVenue({ timezone: 'Europe/Berlin' })
    const rows = [
      'ID,post_title,post_excerpt,post_status,discount_type,coupon_amount,individual_use,product_ids,usage_count,usage_limit,usage_limit_per_user,date_expires,free_shipping,minimum_amount',
      '71,welcome10,For new guests,publish,percent,10,yes,,3,50,1,2027-01-01,no,15.00',
      '72,flat5,,draft,fixed_cart,5,no,,0,0,0,,no,',
      '73,each1,,publish,fixed_product,1,no,,0,,,,no,',
      '74,cake,,publish,percent,10,no,"12,13",0,,,,no,',
    ]
    const { done, issues, coupons } = await load(venue, rows)
    expect([done.reading.preset, done.reading.questions]).toEqual(['woocommerce_coupons', []])
    expect(issues).toEqual(['4 discount_type invalid_value', '5 product_ids invalid_value'])
    expect(coupons).toMatchObject({
      welcome10: {
        ...{ description: 'For new guests', type: 'PERCENTAGE', value: 10, individualUse: true, active: true },
        ...{ minimumOrderAmount: 15, timesRedeemed: 3 },
        limits: { endsAt: seconds('2027-01-01T00:00:00+01:00'), maxRedemptions: 50, maxRedemptionsPerCustomer: 1 },
      },
      flat5: { type: 'FIXED', value: 5, active: false, individualUse: false, limits: {} },
    })
    const again = await importFile(venue, auto, rows.slice(0, 3).join('\n'), text)
    expect(again).toMatchObject({ created: 0, unchanged: 2, failed: 0 })
  })
})
