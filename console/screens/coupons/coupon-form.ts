import type { Coupon, CouponLimits } from '../../../packages/client/src/client.ts'
import {
  currencySymbol,
  formatAmount,
  formatNumber,
  formatPrice,
  formatTime,
  parseAmount,
  parsePrice,
  parseWhole,
} from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { fromLocalTime, toLocalTime } from '../../app/time/zoned-time.ts'
import {
  fromBeginField,
  fromEndField,
  type OrderType,
  orderTypes,
  toChosen,
  toTimeField,
  type Weekday,
  weekdays,
} from '../../objects/hours/service-times.ts'

export interface CouponForm {
  title: string
  code: string
  type: Coupon['type']
  value: string
  description: string
  active: boolean
  minimumOrderAmount: string
  individualUse: boolean
  applyToAllProducts: boolean
  products: readonly string[]
}

const optionalAmount = (amount: number | undefined) => (amount === undefined ? '' : formatAmount(amount))

export const toForm = (coupon?: Coupon): CouponForm => ({
  title: coupon?.title ?? '',
  code: coupon?.code ?? '',
  type: coupon?.type ?? 'PERCENTAGE',
  value: coupon ? (coupon.type === 'FIXED' ? formatAmount(coupon.value) : formatNumber(coupon.value)) : '',
  description: coupon?.description ?? '',
  active: coupon?.active ?? true,
  minimumOrderAmount: optionalAmount(coupon?.minimumOrderAmount),
  individualUse: coupon?.individualUse ?? false,
  applyToAllProducts: coupon?.applyToAllProducts ?? true,
  products: coupon?.products ?? [],
})

const isFilled = (text: string) => text.trim() !== ''

const parseValue = ({ type, value }: CouponForm) => (type === 'FIXED' ? parsePrice : parseAmount)(value)

export function findErrors(form: CouponForm): ReadonlyMap<string, string> {
  const { issue } = t()
  const errors = new Map<string, string>()
  for (const name of ['title', 'code', 'value'] as const) if (!isFilled(form[name])) errors.set(name, issue.required)
  if (isFilled(form.value) && parseValue(form) === undefined)
    errors.set('value', form.type === 'FIXED' ? issue.notAPrice : issue.notANumber)
  if (isFilled(form.minimumOrderAmount) && parsePrice(form.minimumOrderAmount) === undefined)
    errors.set('minimumOrderAmount', issue.notAPrice)
  return errors
}

export const toBody = (form: CouponForm) => ({
  title: form.title,
  code: form.code,
  type: form.type,
  value: parseValue(form) ?? 0,
  description: isFilled(form.description) ? form.description : null,
  active: form.active,
  minimumOrderAmount: parsePrice(form.minimumOrderAmount) ?? null,
  individualUse: form.individualUse,
  applyToAllProducts: form.applyToAllProducts,
  products: [...form.products],
})
export type CouponBody = ReturnType<typeof toBody>

export const toLimitForm = (limits?: CouponLimits) => ({
  startsAt: limits?.startsAt === undefined ? '' : toLocalTime(limits.startsAt),
  endsAt: limits?.endsAt === undefined ? '' : toLocalTime(limits.endsAt),
  maxRedemptions: formatNumber(limits?.maxRedemptions),
  maxRedemptionsPerCustomer: formatNumber(limits?.maxRedemptionsPerCustomer),
  maxDiscount: optionalAmount(limits?.maxDiscount),
  days: limits?.days ?? weekdays,
  begin: toTimeField(limits?.begin),
  end: toTimeField(limits?.end),
  orderTypes: limits?.orderTypes ?? orderTypes,
  automatic: limits?.automatic ?? false,
  codesOnly: limits?.codesOnly ?? false,
})
export type LimitForm = Omit<ReturnType<typeof toLimitForm>, 'days' | 'orderTypes'> & {
  days: readonly Weekday[]
  orderTypes: readonly OrderType[]
}

const wholeLimits = ['maxRedemptions', 'maxRedemptionsPerCustomer'] as const

export function findLimitErrors(form: LimitForm): ReadonlyMap<string, string> {
  const { issue, menus, coupons } = t()
  const errors = new Map<string, string>()
  for (const name of wholeLimits) {
    if (isFilled(form[name]) && parseWhole(form[name]) === undefined) errors.set(name, issue.notAWholeNumber)
  }
  if (isFilled(form.maxDiscount) && parsePrice(form.maxDiscount) === undefined)
    errors.set('maxDiscount', issue.notAPrice)
  if (form.days.length === 0) errors.set('days', menus.noDays)
  if (form.orderTypes.length === 0) errors.set('orderTypes', menus.noTypes)
  if (form.begin !== '' && form.end === '') errors.set('end', issue.required)
  if (form.begin === '' && form.end !== '') errors.set('begin', issue.required)
  if (form.begin !== '' && form.begin === form.end && form.end !== '00:00') errors.set('end', coupons.sameTimes)
  const { startsAt, endsAt } = toLimits(form)
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) errors.set('endsAt', issue.endsBeforeStart)
  return errors
}

const toFlag = (isOn: boolean): boolean | null => isOn || null

export const toLimits = (form: LimitForm) => ({
  startsAt: fromLocalTime(form.startsAt) ?? null,
  endsAt: fromLocalTime(form.endsAt) ?? null,
  maxRedemptions: parseWhole(form.maxRedemptions) ?? null,
  maxRedemptionsPerCustomer: parseWhole(form.maxRedemptionsPerCustomer) ?? null,
  maxDiscount: parsePrice(form.maxDiscount) ?? null,
  days: toChosen(weekdays, form.days),
  begin: fromBeginField(form.begin) || null,
  end: fromEndField(form.end) || null,
  orderTypes: toChosen(orderTypes, form.orderTypes),
  automatic: toFlag(form.automatic),
  codesOnly: toFlag(form.codesOnly),
})

/** Labels of fields and limits, for the comparison of two versions. */
export const nameOf = (field: string) => {
  const { states, types, redemptionStates, reasons, ...texts } = t().coupons
  const name = new Map<string, unknown>(Object.entries(texts)).get(field)
  return typeof name === 'string' ? name : field
}

/** The discount of a coupon: `10 %` or `€2.00`. */
export const describeValue = ({ type, value }: Pick<Coupon, 'type' | 'value'>) =>
  type === 'FIXED' ? formatPrice(value) : `${formatNumber(value)} %`
export const getUnit = (type: Coupon['type']) => (type === 'FIXED' ? currencySymbol() : '%')

/** The state of a coupon in words. Until its limits are read, describes it without them. */
export function describeState({ active, timesRedeemed }: Coupon, limits: CouponLimits | undefined): string {
  const { states, redeemed, redeemedOf } = t().coupons
  if (!limits) return active ? redeemed(timesRedeemed) : `${states.off} · ${redeemed(timesRedeemed)}`
  const { startsAt, endsAt, maxRedemptions } = limits
  const now = Date.now() / 1000
  const count = maxRedemptions === undefined ? redeemed(timesRedeemed) : redeemedOf(timesRedeemed, maxRedemptions)
  const state = !active
    ? states.off
    : endsAt !== undefined && endsAt <= now
      ? states.ended(formatTime(endsAt))
      : maxRedemptions !== undefined && timesRedeemed >= maxRedemptions
        ? states.usedUp
        : startsAt !== undefined && startsAt > now
          ? states.starts(formatTime(startsAt))
          : endsAt !== undefined
            ? states.until(formatTime(endsAt))
            : states.on
  return `${state} · ${count}`
}
