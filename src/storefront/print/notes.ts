import { divideEntries, type SheetContent } from './cards.ts'
import type { Sheet } from './layouts.ts'

/** Height of the margin that has room for notes, in millimetres. */
const minNoteMargin = 12

/** Whether the margin of the first page has room for notes. Otherwise they get a separate page, so that they never cover cards. */
export const hasRoomForNotes = ({ margin }: Sheet, cards: SheetContent['cards']) =>
  cards.length > 0 && margin.top >= minNoteMargin

/** Texts of a sheet outside its cards, in the venue's language. */
export function listNotes({ cards, omitted, messages, language }: SheetContent, lacksText: boolean): string[] {
  const count = new Intl.NumberFormat(language).format(omitted)
  return [
    ...(cards.length === 0 ? [messages.noTags] : []),
    ...(omitted > 0 ? [messages.omitted.replace('{count}', count)] : []),
    ...(lacksText ? [messages.missingText] : []),
  ]
}

/** Whether a card names a part of the venue besides its table. */
export const showsArea = ({ cards }: SheetContent) =>
  cards.some(({ entries }) => divideEntries(entries).areas.length > 0)
