import * as z from 'zod/mini'
import { parseLanguage } from '../../lib/languages/language-tag.ts'
import { limits } from '../fields.ts'
import { exactText, matches } from './types.ts'

/** A BCP 47 language tag, in canonical form. */
export const languageTag = z.pipe(
  exactText({
    min: 2,
    max: limits.languageTag,
    form: matches((name) => parseLanguage(name) !== undefined, 'must be a BCP 47 language tag'),
  }),
  z.transform((name: string) => parseLanguage(name) ?? name),
)
