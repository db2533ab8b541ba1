import type { Coupon } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { createStore } from '../../objects/store.ts'
import { type CouponBody, nameOf } from './coupon-form.ts'

export const store = createStore<Coupon, CouponBody>({
  source: () => api().coupons,
  titleOf: ({ title }) => title,
  nameOf,
})
