import { type Signal, signal } from '@preact/signals'
import { ApiError, type Coupon, type CouponLimits } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice, formatTime } from '../../app/format.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { formatWeekday } from '../../objects/hours/service-times.ts'
import { readTitles } from '../../objects/known-products.ts'
import { createStore } from '../../objects/store.ts'
import { type CouponBody, describeValue, nameOf, type toLimits } from './coupon-form.ts'

/** Leaves out coupons that are switched off. */
export const onlyActive = keep('coupons active', false)
export const store = createStore<Coupon, CouponBody>({
  name: 'coupons',
  source: () => ({
    ...api().coupons,
    list(query, options) {
      // Others can have changed the limits too. A search or another page is part of the same visit.
      if (query?.cursor === undefined && query?.q === undefined) known.clear()
      return api().coupons.list({ ...query, ...(onlyActive.value && { active: true }) }, options)
    },
  }),
  titleOf: ({ title }) => title,
  nameOf,
  show(field, { products = [], type = 'PERCENTAGE', value = 0, minimumOrderAmount }) {
    if (field === 'products') return readTitles(products)
    if (field === 'type') return t().coupons.types[type]
    if (field === 'value') return describeValue({ type, value })
    return field === 'minimumOrderAmount' && minimumOrderAmount ? formatPrice(minimumOrderAmount) : undefined
  },
})

/** A limit in readable form. Undefined: the text of its value. */
export function showLimit(field: string, limits: Partial<ReturnType<typeof toLimits>>) {
  const { startsAt, endsAt, maxDiscount, days, orderTypes } = limits
  if (field === 'days') return days?.map(formatWeekday).join(', ')
  if (field === 'orderTypes') return orderTypes?.map((type) => t().menus.types[type]).join(', ')
  const time = field === 'startsAt' ? startsAt : field === 'endsAt' ? endsAt : undefined
  if (time) return formatTime(time)
  return field === 'maxDiscount' && maxDiscount ? formatPrice(maxDiscount) : undefined
}

const known = new Map<string, Signal<CouponLimits | undefined>>()

function getKnown(id: string): Signal<CouponLimits | undefined> {
  const limits = known.get(id) ?? signal(undefined)
  known.set(id, limits)
  return limits
}

/** Stores the limits of a coupon after they were read or changed. */
export function noteLimits(id: string, limits: CouponLimits): CouponLimits {
  getKnown(id).value = limits
  return limits
}

/** The limits of a coupon for its state in the list. Undefined until they are read. */
export function findLimits(id: string): CouponLimits | undefined {
  const isRead = known.has(id)
  const limits = getKnown(id)
  if (!isRead) {
    api()
      .coupons.limits(id)
      .then(
        (found) => noteLimits(id, found),
        // A coupon without limits returns no limits. After another failure, the state is described without them.
        (error: unknown) =>
          error instanceof ApiError && error.status === 404 ? noteLimits(id, {}) : void known.delete(id),
      )
  }
  return limits.value
}
