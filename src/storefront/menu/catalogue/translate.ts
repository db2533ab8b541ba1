import * as z from 'zod/mini'
import { menuDetails } from '../../../catalogue/resources/details/menu-details.ts'
import { modifierDetails } from '../../../catalogue/resources/details/modifier-details.ts'
import { productDetails } from '../../../catalogue/resources/details/product-details.ts'

/** Field of every object with translatable texts. */
export const untranslatedField = {
  untranslated: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        "Fields whose text is not translated and therefore in the venue's language. Absent: all are translated.",
      ),
    ),
}
interface Untranslated {
  untranslated?: string[] | undefined
}

/** Texts of one object in one language, as stored. */
export const storedTexts = {
  menu: menuDetails.view.shape.translations.def.innerType.def.valueType,
  modifier: modifierDetails.view.shape.translations.def.innerType.def.valueType,
  product: productDetails.view.shape.translations.def.innerType.def.valueType,
}

/** Replaces texts by their translations, and lists the fields without translation. */
export function translate<Item extends object, Field extends keyof Item & string>(
  item: Item,
  fields: readonly Field[],
  texts?: Readonly<Partial<Record<Field, string | undefined>>>,
): Item & Untranslated {
  const untranslated = fields.filter((field) => item[field] && !texts?.[field])
  const translated = fields.flatMap((field) => (texts?.[field] ? [[field, texts[field]]] : []))
  return { ...item, ...Object.fromEntries(translated), ...(untranslated.length > 0 && { untranslated }) }
}
