import * as z from 'zod/mini'
import { languageTag } from '../../platform/http/fields/language-tag.ts'
import { matches } from '../../platform/http/fields/types.ts'
import * as field from '../../platform/http/fields.ts'
import { fallbackTheme, themes } from '../../platform/themes.ts'
import { maxLanguages } from '../resource/details/details-definition.ts'
import { createTranslations } from './details/translations.ts'

const { limits } = field

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && regionNames.of(code) !== undefined

const colorForm = /^#[0-9a-fA-F]{6}$/

/** Actions that the bar of the hosted menu can have. */
const menuActions = ['order', 'call', 'bill', 'share'] as const

const line = (description: string) => z.nullish(field.label).check(z.describe(description))

const noteText = field.trimmedText({ min: 1, max: limits.noteLength }).check(z.describe('Text of the note.'))
const note = z.strictObject({
  text: noteText,
  translations: createTranslations(z.strictObject({ text: noteText }), 'Text of the note', 'text').check(
    field.rules((translations) =>
      Object.keys(translations ?? {}).length > maxLanguages
        ? { code: 'too_many', message: `must have at most ${maxLanguages} languages` }
        : undefined,
    ),
  ),
})

/** Fields of a merchant that introduce the venue to guests. */
export const profileFields = {
  language: z
    .nullish(languageTag)
    .check(
      z.describe(
        'Language of the names and descriptions, as a BCP 47 tag. Absent: detected from their script, unless it is Latin.',
      ),
    ),
  logo: z.nullish(field.url).check(z.describe('Address of the logo. An upload sets it.')),
  color: z
    .nullish(
      field
        .exactText({ max: 7, form: matches((text) => colorForm.test(text), 'must be a color as #rrggbb') })
        .check(z.meta({ pattern: colorForm.source })),
    )
    .check(
      z.describe(
        'Color of headings and links on pages for guests: `#rrggbb`. Pages make it darker or lighter if its contrast is too low.',
      ),
    ),
  theme: z
    .nullish(z.enum(themes))
    .check(
      z.describe(
        `Design of pages for guests and of prints: for a café, a bar or a fine restaurant. Default: \`${fallbackTheme}\`.`,
      ),
    ),
  menuBar: z
    .nullish(
      z.strictObject({
        actions: z
          .nullish(field.set(z.enum(menuActions), menuActions.length))
          .check(
            z.describe(
              'Actions for guests: `order` opens `orderingUrl`; `call` and `bill` tell the staff of the venue, from tags that open the hosted menu; `share` shares the menu. Absent: nothing.',
            ),
          ),
        requireTap: z
          .nullish(field.boolean)
          .check(
            z.describe(
              'Whether `call` and `bill` require that the guest has tapped the NFC chip. It stops idle play, but not someone who kept the address of the chip. Default: `false`.',
            ),
          ),
      }),
    )
    .check(z.describe('The bar at the end of the hosted menu. Absent: no bar.')),
  address: z
    .nullish(
      z.strictObject({
        street: line('Street and number.'),
        postalCode: line('Postal code.'),
        city: line('City.'),
        region: line('State or region.'),
        country: z
          .nullish(
            field.exactText({
              max: 2,
              form: matches(isCountry, 'must be an ISO 3166-1 alpha-2 code'),
            }),
          )
          .check(z.describe('ISO 3166-1 alpha-2 code of the country.')),
      }),
    )
    .check(z.describe('Postal address.')),
  phone: z.nullish(field.phone).check(z.describe('Phone number.')),
  website: z.nullish(field.url).check(z.describe('Address of the website.')),
  notes: z
    .nullish(field.list(note, limits.notes))
    .check(
      z.describe(
        'Notes at the end of the menu and of the table of allergens, such as on service, origin or energy. Replaces all notes.',
      ),
    ),
}

const text = z.optional(z.string())

/** Fields that introduce the venue, as stored and shown. */
export const profileView = {
  language: text,
  logo: text,
  color: text,
  theme: text,
  menuBar: z.optional(
    z.object({ actions: z.optional(z.array(z.enum(menuActions))), requireTap: z.optional(z.boolean()) }),
  ),
  address: z.optional(z.object({ street: text, postalCode: text, city: text, region: text, country: text })),
  phone: text,
  website: text,
  notes: z.optional(
    z.array(
      z.object({
        text: z.string(),
        translations: z.optional(z.record(z.string(), z.object({ text: z.string() }))),
      }),
    ),
  ),
}
