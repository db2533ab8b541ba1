import type { Menu, MenuDetails } from '../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, formatPrice, parseAmount, parsePrice } from '../../app/format.ts'
import { locale, t } from '../../app/language.ts'
import {
  formatWeekday,
  fromBeginField,
  fromEndField,
  type OrderType,
  orderTypes,
  toChosen,
  toTimeField,
  type Weekday,
  weekdays,
} from '../../objects/hours/service-times.ts'
import { getProductTitle, readTitles } from '../../objects/known-products.ts'
import { toPartTexts, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'

export interface SectionForm {
  /** Absent until the service has stored the section. */
  id?: string
  /** Key of a section while it is edited. */
  key: string
  title: string
  description: string
  /** Ids of products. */
  items: readonly string[]
}
export interface MenuForm {
  title: string
  description: string
  visible: boolean
  showSectionNavigation: boolean
  allDayMenu: boolean
  /** `HH:MM`, the format of fields for times. */
  begin: string
  end: string
  /** Addresses of pictures; empty means no picture. */
  banner: string
  icon: string
  sections: readonly SectionForm[]
}

let lastKey = 0
export const newSection = (): SectionForm => ({ key: `new-${++lastKey}`, title: '', description: '', items: [] })

export const toForm = (menu?: Menu): MenuForm => ({
  title: menu?.title ?? '',
  description: menu?.description ?? '',
  visible: menu?.visible ?? true,
  showSectionNavigation: menu?.showSectionNavigation ?? true,
  allDayMenu: menu?.allDayMenu ?? true,
  begin: toTimeField(menu?.begin),
  end: toTimeField(menu?.end),
  banner: menu?.branding.banner || '',
  icon: menu?.branding.icon || '',
  sections: (menu?.sections ?? []).map(({ id, title, description, items }) => ({
    id,
    key: id,
    title: title ?? '',
    description: description ?? '',
    items,
  })),
})

const isFilled = (text: string) => text.trim() !== ''
const optional = (text: string) => (isFilled(text) ? text : null)

export function findErrors(form: MenuForm): ReadonlyMap<string, string> {
  const { required } = t().issue
  const errors = new Map<string, string>()
  if (!isFilled(form.title)) errors.set('title', required)
  if (!form.allDayMenu) for (const name of ['begin', 'end'] as const) if (form[name] === '') errors.set(name, required)
  return errors
}

export const toBody = (form: MenuForm) => ({
  title: form.title,
  description: optional(form.description),
  visible: form.visible,
  showSectionNavigation: form.showSectionNavigation,
  allDayMenu: form.allDayMenu,
  begin: form.allDayMenu ? null : fromBeginField(form.begin),
  end: form.allDayMenu ? null : fromEndField(form.end),
  branding: { banner: optional(form.banner), icon: optional(form.icon) },
  sections: form.sections.map(({ id, title, description, items }) => ({
    ...(id === undefined ? {} : { id }),
    title: optional(title),
    description: optional(description),
    items: [...items],
  })),
})
export type MenuBody = ReturnType<typeof toBody>

/** The body of a copy, which is hidden from guests. Its sections get new ids. */
export const toCopy = (body: MenuBody): MenuBody => ({
  ...body,
  visible: false,
  sections: body.sections.map(({ id: _, ...section }) => section),
})

export interface PriceForm {
  product: string
  /** Empty: the entry has only prices of sizes. */
  price: string
  /** Prices by the ids of the sizes. An empty one is the ordinary price of the size. */
  sizes: Readonly<Record<string, string>>
}
export const toDetailsForm = (details?: MenuDetails) => ({
  position: formatNumber(details?.position),
  days: details?.days ?? weekdays,
  orderTypes: details?.orderTypes ?? orderTypes,
  from: details?.dates?.from ?? '',
  until: details?.dates?.until ?? '',
  prices: (details?.prices ?? []).map(
    ({ price, sizes = {}, ...others }): PriceForm => ({
      ...others,
      price: price === undefined ? '' : formatAmount(price),
      sizes: Object.fromEntries(Object.entries(sizes).map(([size, amount]) => [size, formatAmount(amount)])),
    }),
  ),
  translations: toTranslationForms(details?.translations),
})
export type DetailsForm = Omit<ReturnType<typeof toDetailsForm>, 'days' | 'orderTypes' | 'prices'> & {
  orderTypes: readonly OrderType[]
  days: readonly Weekday[]
  prices: readonly PriceForm[]
}

export function findDetailsErrors(form: DetailsForm): ReadonlyMap<string, string> {
  const { issue, menus } = t()
  const errors = new Map<string, string>()
  if (form.orderTypes.length === 0) errors.set('orderTypes', menus.noTypes)
  if (form.days.length === 0) errors.set('days', menus.noDays)
  if (isFilled(form.position) && parseAmount(form.position) === undefined) errors.set('position', issue.notANumber)
  for (const [index, { price, sizes }] of form.prices.entries()) {
    const ofSizes = Object.entries(sizes).filter(([, typed]) => isFilled(typed))
    if (isFilled(price) ? parsePrice(price) === undefined : ofSizes.length === 0)
      errors.set(`prices/${index}/price`, issue.notAPrice)
    for (const [size, typed] of ofSizes)
      if (parsePrice(typed) === undefined) errors.set(`prices/${index}/sizes/${size}`, issue.notAPrice)
  }
  return errors
}

export const toDetails = (form: DetailsForm) => ({
  position: parseAmount(form.position) ?? null,
  days: toChosen(weekdays, form.days),
  orderTypes: toChosen(orderTypes, form.orderTypes),
  dates: form.from === '' && form.until === '' ? null : { from: optional(form.from), until: optional(form.until) },
  prices:
    form.prices.length === 0
      ? null
      : form.prices.map(({ price, sizes, ...others }) => {
          const ofSizes = Object.entries(sizes).filter(([, typed]) => isFilled(typed))
          return {
            ...others,
            ...(isFilled(price) && { price: parsePrice(price) ?? 0 }),
            ...(ofSizes.length > 0 && {
              sizes: Object.fromEntries(ofSizes.map(([size, typed]) => [size, parsePrice(typed) ?? 0])),
            }),
          }
        }),
  translations: toTranslations(form.translations, (texts) => ({
    title: texts['title'],
    description: texts['description'],
    sections: toPartTexts(texts, 'sections', ({ title, description }) => ({ title, description })),
  })),
})

/** A time of the day: `HH:MM` in the notation of the language. */
const formatClock = (text: string) =>
  new Intl.DateTimeFormat(locale.value, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.parse(`1970-01-01T${text}Z`),
  )
/** A time of the service in the notation of the language; undefined without a time. */
export const formatTimeOfDay = (text: string | null | undefined) => (text ? formatClock(toTimeField(text)) : undefined)
const formatDay = (day: string) =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))

/** The hours of a menu, in words. */
export function describeTimes(form: MenuForm, details?: MenuDetails): string {
  const { menus: texts } = t()
  const window =
    form.allDayMenu || form.begin === '' || form.end === ''
      ? texts.allDay
      : texts.window(formatClock(form.begin), formatClock(form.end))
  const { from, until } = details?.dates ?? {}
  return [
    window,
    details?.days
      ? new Intl.ListFormat(locale.value, { type: 'unit' }).format(details.days.map(formatWeekday))
      : undefined,
    from === undefined ? undefined : texts.since(formatDay(from)),
    until === undefined ? undefined : texts.till(formatDay(until)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** Days and prices in readable form. Undefined: the text of the value. */
export async function showDetail(
  field: string,
  { days, orderTypes: types, prices }: Partial<ReturnType<typeof toDetails>> | MenuDetails,
): Promise<string | undefined> {
  if (field === 'days') return days?.map(formatWeekday).join(', ')
  if (field === 'orderTypes') return types?.map((type) => t().menus.types[type]).join(', ')
  if (field !== 'prices' || !prices) return undefined
  // All fields are sent in one request.
  await readTitles(prices.map(({ product }) => product))
  return prices
    .map(({ product, price, sizes = {} }) => {
      const shown = [...(price === undefined ? [] : [price]), ...Object.values(sizes)].map((each) => formatPrice(each))
      return `${getProductTitle(product)} ${shown.join(' · ')}`
    })
    .join(', ')
}

/** Labels of fields, for the comparison of two versions. */
export function nameOf(field: string): string {
  const { navigation, allDay, banner, icon, from, until, ...texts } = t().menus
  const { title, description, visible, sections, days, dates, prices, position, orderTypes: orderTypesName } = texts
  const names = { title, description, visible, sections, days, dates, prices, position, orderTypes: orderTypesName }
  const { translations } = t().details
  const times = {
    translations,
    branding: `${banner}, ${icon}`,
    banner,
    icon,
    allDayMenu: allDay,
    begin: from,
    end: until,
    from,
    until,
    showSectionNavigation: navigation,
  }
  return new Map(Object.entries({ ...names, ...times })).get(field) ?? field
}
