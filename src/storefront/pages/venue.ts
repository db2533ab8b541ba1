import { eq } from 'drizzle-orm'
import { lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { db, typed } from '../../platform/db/query.ts'
import { merchantTable, suspendedField } from '../../platform/db/schema/merchants.ts'
import type { Bindings } from '../../platform/env.ts'
import { type Theme, toTheme } from '../../platform/themes.ts'
import { detectLocale } from './locale.ts'
import { fallbackLanguage, type PageLanguage, toPageLanguage } from './messages.ts'

const fields = {
  name: merchantTable.name,
  timezone: merchantTable.timezone,
  currency: merchantTable.currency,
  language: merchantTable.language,
  logo: merchantTable.logo,
  color: merchantTable.color,
  theme: merchantTable.theme,
  suspended: suspendedField,
}
const venueStatement = lazy(() =>
  typed(fields, (select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('merchantId'))),
  ),
)

/** The data of a venue that pages and prints for staff show. */
interface Venue {
  name: string
  logo: string | undefined
  color: string | undefined
  theme: Theme
  /** Language of the venue, if the service supports it. The letters of `text` help to detect it. */
  getLanguage: (text: string) => PageLanguage
}

/** Reads a venue in one round trip; undefined if it does not exist or is suspended. */
export async function readVenue(env: Bindings, merchantId: string): Promise<Venue | undefined> {
  const directory = directoryDatabase(env)
  const row = await directory.findNamed(async () => (await directory.run([venueStatement(), { merchantId }]))[0][0])
  if (!row || row.suspended === 1) return undefined
  const { name, timezone, currency, language, logo, color, theme } = row
  const origin = { timezone, currency: currency ?? undefined, language: language ?? undefined }
  return {
    name,
    logo: logo ?? undefined,
    color: color ?? undefined,
    theme: toTheme(theme ?? undefined),
    getLanguage(text) {
      const { locale } = detectLocale(origin, `${name} ${text}`, undefined)
      return toPageLanguage(locale) ?? fallbackLanguage
    },
  }
}
