import type { Html } from '../../pages/page.ts'
import type { Phrases } from '../../pages/phrases.ts'
import type { Prices } from '../../pages/prices.ts'
import type { FoodOptions } from './food-texts.ts'
import type { DayFormats } from './menu-days.ts'
import type { PictureOptions } from './menu-pictures.ts'

/** Options that all parts of a menu's page use. */
export interface RenderOptions extends PictureOptions {
  phrases: Phrases
  prices: Prices
  /** Formats a share, in the venue's locale. */
  percents: Intl.NumberFormat
  /** Renders a text of the venue. Marks an untranslated text with its own language. */
  show: <Field extends string>(
    item: Readonly<Partial<Record<Field, string | undefined>>> & { untranslated?: readonly string[] | undefined },
    field: Field,
  ) => Html
  /** Formats a time of day, `HHMM`, in the language of the service's texts. */
  formatTime: (time: string) => string
  /**
   * Formats a moment, in seconds, in the language of the service's texts; with the weekday unless it is today, and with the date if it is more than a
   * week away. With `isAllDay`, names only the day, without a time.
   */
  formatMoment: (moment: number, options?: { isAllDay?: boolean }) => string
  /** Formats a moment, in seconds, at which something is served again: "tomorrow", or as `formatMoment` does. */
  formatReturn: (moment: number) => string
  /** Formats days in the language of the service's texts. */
  days: DayFormats
  /** Allergens and diets that the products state. Undefined if no product states any. */
  food: FoodOptions | undefined
  /** Names of sizes by the id of their option. */
  sizeLabels: ReadonlyMap<string, string>
}
