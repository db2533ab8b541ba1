import type { Database } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { readStaffMessages } from '../pages/staff-messages.ts'
import { readVenue } from '../pages/venue.ts'
import { createCards, type SheetContent, toShortAddress } from './cards.ts'
import { selectTags } from './select-tags.ts'
import type { LinkedSheet } from './sheet-link.ts'

/** Reads what a sheet prints, in two concurrent round trips; undefined if the merchant does not exist or is suspended. */
export async function readSheet(
  env: Bindings,
  database: Database,
  { scope, selection, text, format, layout, skip }: LinkedSheet,
  baseUrl: string,
): Promise<SheetContent | undefined> {
  const [venue, { labels, order }] = await Promise.all([
    readVenue(env, scope.merchantId),
    selectTags(database, scope, selection),
  ])
  if (!venue) return undefined
  const language = venue.getLanguage(labels.slice(0, 50).join(' '))
  const { tags, omitted } = order(language)
  return {
    venue: venue.name,
    logo: venue.logo,
    language,
    messages: await readStaffMessages(env, language),
    address: toShortAddress(baseUrl),
    cards: createCards(tags, baseUrl),
    ...{ text, omitted, format, layout, skip },
  }
}
