import { Hono } from 'hono'
import { allergenCodes } from '../../../catalogue/resources/details/food-codes.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createAllergenResponse, toLegend } from '../../menu/allergen-sheet.ts'
import { getAllergenName, listProducts, needsChoicesWarning } from '../../menu/food.ts'
import type { PublicProduct } from '../../menu/public-menu.ts'
import { getDirection } from '../../pages/locale.ts'
import { readStaffMessages } from '../../pages/staff-messages.ts'

/** The mark of each allergen. Undefined if the product does not state its allergens. */
const toMarks = ({ allergens }: PublicProduct) =>
  allergens && allergenCodes.map((code) => allergens.find((each) => each.code === code)?.level)

/** The sheet of allergens as a PDF. */
export const allergenPdfRoutes = new Hono<Env>().get('/:merchantId/allergens.pdf', (c) =>
  createAllergenResponse(c, c.req.param('merchantId'), 'pdf', async (sheet) => {
    const { menu, language, messages, testMode, truncated } = sheet
    const rows = listProducts(menu).map((product) => ({
      title: product.title,
      isMarked: needsChoicesWarning(product),
      marks: toMarks(product),
    }))
    const table = {
      venue: menu.venue.name,
      title: messages.sheet,
      isRightToLeft: getDirection(language) === 'rtl',
      contains: toLegend(messages.contains),
      mayContain: toLegend(messages.mayContain),
      notStated: messages.notStated,
      choices: rows.some((row) => row.isMarked) ? messages.choices : undefined,
      testMode,
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
