import { expect, test, vi } from 'vitest'
import { createVenue } from '../../support/api.ts'

test('a second quote creates no format of a time zone or a currency', async () => {
  const created: string[] = []
  const { DateTimeFormat, NumberFormat } = Intl
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(
    class extends DateTimeFormat {
      constructor(...args: ConstructorParameters<typeof DateTimeFormat>) {
        super(...args)
        created.push(String(args[1]?.timeZone))
      }
    },
  )
  vi.spyOn(Intl, 'NumberFormat').mockImplementation(
    class extends NumberFormat {
      constructor(...args: ConstructorParameters<typeof NumberFormat>) {
        super(...args)
        created.push(String(args[1]?.currency))
      }
    },
  )
  const venue = await createVenue({ timezone: 'Asia/Kathmandu', currency: 'BHD' })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const { body: menu } = await venue.post('/menus', {
    title: 'Day',
    allDayMenu: false,
    begin: '0800',
    end: '2200',
    sections: [{ title: 'All', items: [product.id] }],
  })
  const order = { items: [{ product: product.id, quantity: 2 }], coupons: ['TEN'], menu: menu.id }
  const quote = () => venue.post('/quotes', order)
  expect((await quote()).status).toBe(200)
  expect(created).toEqual(expect.arrayContaining(['Asia/Kathmandu', 'BHD']))
  created.length = 0
  expect((await quote()).status).toBe(200)
  expect(created).toEqual([])
  vi.restoreAllMocks()
})
