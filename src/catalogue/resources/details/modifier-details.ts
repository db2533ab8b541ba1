import * as z from 'zod/mini'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import * as field from '../../../platform/http/fields.ts'
import { createTranslations } from './translations.ts'

const fields = z.strictObject({
  translations: createTranslations(
    z.strictObject({
      title: z.nullish(field.title).check(z.describe('Translated title.')),
      instructions: z.nullish(field.text).check(z.describe('Translated instructions.')),
      description: z.nullish(field.text).check(z.describe('Translated description.')),
      options: z
        .nullish(
          z.record(
            z.string(),
            z.nullish(
              z.strictObject({ label: z.nullish(field.label).check(z.describe('Translated name of the option.')) }),
            ),
          ),
        )
        .check(z.describe('Texts of options by their ids.')),
    }),
    'Texts of the modifier and its options',
  ),
})

const text = z.optional(z.string())

const view = z.object({
  translations: z.optional(
    z.record(
      z.string(),
      z.object({
        title: text,
        instructions: text,
        description: text,
        options: z.optional(z.record(z.string(), z.object({ label: text }))),
      }),
    ),
  ),
})

/** Details of modifiers. */
export const modifierDetails = {
  body: { schema: fields, partial: fields, readOnly: new Set<string>() },
  view,
  parts: { field: 'options', column: modifierTable.options, one: 'an option' },
  check: () => [],
}
