import { eq } from 'drizzle-orm'
import { directoryDatabase, lazy, param } from '../db/database.ts'
import { db, typed } from '../db/query.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import type { Bindings } from '../env.ts'
import { detectLocale } from './locale.ts'
import { fallbackLanguage, type PageLanguage, toPageLanguage } from './messages.ts'

const venueStatement = lazy(() =>
  typed({ name: merchantTable.name, timezone: merchantTable.timezone, currency: merchantTable.currency }, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  ),
)

/** What pages and prints for staff show of a venue. */
export interface Venue {
  name: string
  /** Language of the venue, as far as the service has texts in it. */
  language: PageLanguage
}

/** Reads a venue in one round trip. `text` is more text of the venue, whose letters help to detect its language. */
export async function readVenue(env: Bindings, merchantId: string): Promise<((text?: string) => Venue) | undefined> {
  const [[row]] = await directoryDatabase(env).run([venueStatement(), { merchantId }])
  if (!row) return undefined
  const { name, timezone, currency } = row
  return (text = '') => {
    const { locale } = detectLocale({ timezone, currency: currency ?? undefined }, `${name} ${text}`, undefined)
    return { name, language: toPageLanguage(locale) ?? fallbackLanguage }
  }
}
