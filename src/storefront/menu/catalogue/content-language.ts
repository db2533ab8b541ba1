import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { param } from '../../../platform/db/database.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { translationTable as table } from '../../../platform/db/schema/objects/details.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { parseLanguage } from '../../../platform/lib/languages/language-tag.ts'

/** Maximum number of languages of a guest that are considered. */
const maxWanted = 5
/** Maximum number of languages of a venue that are listed. */
export const maxContentLanguages = 100

/** Languages that a guest reads, in order of preference. */
export interface WantedLanguages {
  /** Each language is followed by less specific ones: `zh-TW`, `zh-Hant`, `zh`. */
  candidates: readonly string[]
  /** Number of candidates that come from the first language. */
  preferred: number
}

/** No preference: the venue's own texts. */
export const ownLanguage: WantedLanguages = { candidates: [], preferred: 0 }

const toCandidates = (tag: string) => {
  const { language, script } = new Intl.Locale(tag).maximize()
  return [...new Set([tag, `${language}-${script}`, language])]
}

/** The languages that a guest wants, from BCP 47 tags. Invalid tags are ignored. */
export function toWanted(tags: readonly (string | undefined)[]): WantedLanguages {
  const wanted = [...new Set(tags.flatMap((tag) => parseLanguage(tag) ?? []))].slice(0, maxWanted)
  return { candidates: wanted.flatMap(toCandidates), preferred: wanted[0] ? toCandidates(wanted[0]).length : 0 }
}

/** The languages of a venue's texts in one mode. */
export interface ContentLanguages {
  /** Language of its own texts; undefined if the venue does not state it. */
  own: string | undefined
  /** Languages of the existing translations, in order. */
  translations: readonly string[]
}

/**
 * Chooses the language in which a guest reads a menu; undefined: the venue's own texts. If their language is unknown, only the guest's first language
 * replaces them. `chosenLanguage` is the same rule in SQL.
 */
export function chooseLanguage(
  { candidates, preferred }: WantedLanguages,
  { own, translations }: ContentLanguages,
): string | undefined {
  for (const candidate of own === undefined ? candidates.slice(0, preferred) : candidates) {
    if (own === candidate) return undefined
    if (translations.includes(candidate)) return candidate
    const isMoreSpecific = (language: string) => language.startsWith(`${candidate}-`)
    if (own !== undefined && isMoreSpecific(own)) return undefined
    const found = translations.find(isMoreSpecific)
    if (found !== undefined) return found
  }
  return undefined
}

const translation = (condition: SQL) =>
  sql`(select min(${table.language}) from ${table} where ${isInScope(table)} and ${condition})`
/** SQL for "is more specific than the candidate". In ASCII, a dot is the character after the hyphen. */
const isMoreSpecific = (language: SQLiteColumn) =>
  sql`${language} > wanted.value || '-' and ${language} < wanted.value || '.'`

/** SQL for the language of `:candidates`, a JSON list, that `chooseLanguage` chooses; null for the venue's own texts. */
export const chosenLanguage = sql`nullif((
  select found from (
    select wanted.key as place, case when ${merchantTable.language} = wanted.value then ''
      else coalesce(${translation(sql`${table.language} = wanted.value`)},
        case when ${isMoreSpecific(merchantTable.language)} then '' end,
        ${translation(isMoreSpecific(table.language))}) end as found
    from json_each(${param('candidates')}) as wanted cross join ${merchantTable}
    where ${merchantTable.id} = ${param('merchantId')}
      and (${merchantTable.language} is not null or wanted.key < ${param('preferred')})
  ) where found is not null order by place limit 1), '')`

/** SQL for a JSON list of the languages of all translations. Reads one row of the index for each. */
export const translatedLanguages = sql`(
  with recursive found(language) as (
    select min(${table.language}) from ${table} where ${isInScope(table)}
    union all
    select (select min(${table.language}) from ${table} where ${isInScope(table)} and ${table.language} > found.language)
    from found where found.language is not null limit ${sql.raw(`${maxContentLanguages}`)}
  ) select json_group_array(language) from found where language is not null)`
