import * as z from 'zod/mini'
import { parseLanguage } from '../../../platform/lib/languages/language-tag.ts'
import { maxLanguages } from '../../resource/details/details-definition.ts'

/** Adds an issue for each name that is not a language tag, or repeats the language of an earlier name. */
function checkLanguages<Texts>({ value, issues }: z.core.ParsePayload<Record<string, Texts>>) {
  const seen = new Set<string | undefined>()
  for (const name of Object.keys(value)) {
    const language = parseLanguage(name)
    const report = (code: string, message: string) =>
      issues.push({ code: 'custom', params: { code }, message, input: name, path: [name] })
    if (language === undefined) report('invalid_format', 'must be named by a BCP 47 language tag')
    else if (seen.has(language)) report('duplicate', 'is the same language as another name')
    seen.add(language)
  }
}

/** Texts of an object in other languages. `null` removes a language or a text. `field` is one of the texts, for the description. */
export const createTranslations = <Texts extends z.ZodMiniType>(texts: Texts, what: string, field = 'title') =>
  z
    .nullish(
      z.pipe(
        z.record(z.string(), z.nullish(texts)).check(checkLanguages),
        z.transform((translations: Record<string, z.output<Texts> | null | undefined>) =>
          Object.fromEntries(Object.entries(translations).map(([name, value]) => [parseLanguage(name) ?? name, value])),
        ),
      ),
    )
    .check(
      z.describe(
        `${what} in other languages, by BCP 47 language tag: \`{"fr": {"${field}": "…"}}\`. Up to ${maxLanguages} languages. \`null\` removes a language or a text.`,
      ),
    )
