import type { Database } from '../../platform/db/database.ts'
import type { Bindings } from '../../platform/env.ts'
import { letOthersRun } from '../../platform/lib/step-budget.ts'
import { readStaffMessages } from '../pages/staff-messages.ts'
import { readVenue } from '../pages/venue.ts'
import {
  type Card,
  createCards,
  type PrintedTag,
  type SheetContent,
  setCase,
  toCardLabel,
  toShortAddress,
} from './cards.ts'
import { readPaperFonts } from './look/paper-font.ts'
import { selectTags } from './select-tags.ts'
import type { LinkedSheet } from './sheet-link.ts'

/** Number of cards that are created before other requests run. Each needs a symbol. */
const cardsAtOnce = 25

/** Creates the cards of up to 1,000 tags. Their codes have equal length, so each group has the same level of error correction. */
async function createAllCards(tags: readonly PrintedTag[], baseUrl: string): Promise<Card[]> {
  const cards: Card[] = []
  for (let start = 0; start < tags.length; start += cardsAtOnce) {
    if (start > 0) await letOthersRun()
    cards.push(...createCards(tags.slice(start, start + cardsAtOnce), baseUrl))
  }
  return cards
}

/** Reads the data of a sheet, in two concurrent round trips; undefined if the merchant does not exist or is suspended. */
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
  const messages = await readStaffMessages(env, language)
  const { name, logo, color, theme } = venue
  const texts = [name, text ?? messages.scan, ...tags.map(({ entries }) => toCardLabel(entries, language))]
  return {
    venue: name,
    ...{ logo, color, theme, language, messages },
    fonts: await readPaperFonts(
      env,
      theme,
      texts.map((each) => setCase(each, { theme, language })),
    ),
    address: toShortAddress(baseUrl),
    cards: await createAllCards(tags, baseUrl),
    ...{ text, omitted, format, layout, skip },
  }
}
