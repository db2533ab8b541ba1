import type { Phrases } from '../../pages/phrases.ts'
import type { Prices } from '../../pages/prices.ts'

/** What the parts of a menu's page have in common. */
export interface RenderOptions {
  phrases: Phrases
  prices: Prices
  /** Formats a time of day, `HHMM`, as the venue writes it. */
  formatTime: (time: string) => string
  /** Formats a moment, in seconds, in the language of the service's texts; with the weekday unless it is today. */
  formatMoment: (moment: number) => string
  /** Origin of the service: its own pictures are shown even if it is `http:`. */
  origin: string
}
