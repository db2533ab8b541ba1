import { Hono } from 'hono'
import { allergenCodes } from '../../../catalogue/resources/details/food-codes.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createAllergenResponse, toLegend } from '../../menu/allergen-sheet.ts'
import { getAllergenName } from '../../menu/food.ts'
import { describeDay, listSheetRows, type SheetRow } from '../../menu/sheet-rows.ts'
import { getDirection } from '../../pages/locale.ts'
import { readStaffMessages } from '../../pages/staff-messages.ts'

const toTableRow = ({ title, isMarked, levels, note }: SheetRow) => ({
  ...{ title, isMarked, note },
  marks: levels && allergenCodes.map((code) => levels.get(code)),
})

/** The sheet of allergens as a PDF. */
export const allergenPdfRoutes = new Hono<Env>().get('/:merchantId/allergens.pdf', (c) =>
  createAllergenResponse(c, c.req.param('merchantId'), 'pdf', async (sheet) => {
    const { menu, language, messages, band, truncated } = sheet
    const { dishes, choices, footnotes } = listSheetRows(menu, messages)
    const part = { title: messages.choicesTitle, isMarked: false, marks: [], note: '' }
    const rows = [...dishes.map(toTableRow), ...(choices.length > 0 ? [part] : []), ...choices.map(toTableRow)]
    const table = {
      venue: menu.venue.name,
      title: messages.sheet,
      day: describeDay(menu, messages, language),
      footnotes,
      venueNotes: (menu.venue.notes ?? []).map(({ text }) => text),
      isRightToLeft: getDirection(language) === 'rtl',
      contains: toLegend(messages.contains),
      mayContain: toLegend(messages.mayContain),
      notStated: messages.notStated,
      choices: rows.some((row) => row.isMarked) ? messages.choices : undefined,
      band,
      truncated,
      missingText: (await readStaffMessages(c.env, language)).missingText,
      allergens: allergenCodes.map((code) => getAllergenName(messages, code)),
      rows,
    }
    const { renderAllergenPdf } = await import('./allergen-pdf.ts')
    const { readFontPacks } = await import('../scripts/font-pack.ts')
    const file = await renderAllergenPdf(table, (texts) => readFontPacks(c.env, texts))
    return new Response(file, {
      headers: { 'content-type': 'application/pdf', 'content-disposition': 'inline; filename="allergens.pdf"' },
    })
  }),
)
