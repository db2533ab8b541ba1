import { pageLanguages, toPageLanguage } from '../../../../storefront/pages/messages.ts'
import { findField } from '../headings.ts'
import { type PlannedColumn, translationsPrefix } from '../targets.ts'

/** Codes of countries that stand for their language. */
const countries = new Map(
  'gr:el,jp:ja,cn:zh-Hans,tw:zh-Hant,ua:uk,cz:cs,kr:ko,dk:da,gb:en,uk:en'.split(',').map((pair) => {
    const [country = '', language = ''] = pair.split(':')
    return [country, language] as const
  }),
)
/** Languages in which headings name languages, beside their own. */
const namingLanguages = ['en', 'de', 'fr', 'es', 'it'] as const
let named: ReadonlyMap<string, string> | undefined

/** Languages by their names, such as `english`, `deutsch` and `allemand`. Made when first needed. */
function languagesByName(): ReadonlyMap<string, string> {
  named ??= new Map(
    pageLanguages.flatMap((language) =>
      [...namingLanguages, language].map((locale) => {
        const name = new Intl.DisplayNames([locale], { type: 'language' }).of(language.split('-')[0] ?? language) ?? ''
        return [name.toLowerCase(), language] as const
      }),
    ),
  )
  return named
}

function toLanguage(text: string): string | undefined {
  const lower = text.toLowerCase()
  const code =
    countries.get(lower) ??
    (/^[a-z]{2,3}(?:[-_][a-z]{2,4})?$/.test(lower) ? toPageLanguage(lower.replace('_', '-')) : undefined)
  return code ?? languagesByName().get(lower)
}

/** Maximum number of characters of a heading that names a language. */
const maxUnits = 100

const fields = new Set(['title', 'description', 'category'])

/** A field and the language in a heading, such as `name_en`, `nameEn`, `Name (DE)` or `English name`. Undefined for other headings. */
function readLanguage(heading: string): { field: string; language: string } | undefined {
  const text = heading.trim()
  if (text.length > maxUnits) return undefined
  const forms = [
    /^(?<name>.+?)[\s_.:/([-]+(?<language>[^\s_.:/()[\]-]+(?:[-_][A-Za-z]{2,4})?)[)\]]?$/u,
    /^(?<name>[A-Za-z]*[a-z])(?<language>[A-Z][A-Za-z])$/,
    /^(?<language>[^\s_.:-]+)[\s_.:-]+(?<name>.+)$/u,
  ]
  for (const form of forms) {
    const { name = '', language = '' } = form.exec(text)?.groups ?? {}
    const field = findField(name, fields)
    const found = field === undefined ? undefined : toLanguage(language)
    if (field !== undefined && found !== undefined) return { field, language: found }
  }
  return undefined
}

/**
 * Columns with the texts of several languages. Those in the language of the venue, or the only ones, have the field itself, unless a column without a
 * language has it. Other titles and descriptions are translations. `open`: columns of which one may have the titles.
 */
export function takeLanguages(
  columns: readonly PlannedColumn[],
  venueLanguage: string | undefined,
): { columns: readonly PlannedColumn[]; open: readonly string[] } {
  const readings = columns.map(({ name, how }) =>
    how === 'synonym' || how === 'left_out' ? readLanguage(name) : undefined,
  )
  if (readings.every((reading) => reading === undefined)) return { columns, open: [] }
  const own = venueLanguage === undefined ? undefined : toPageLanguage(venueLanguage)
  const listOf = (field: string) => readings.flatMap((reading) => (reading?.field === field ? [reading.language] : []))
  const hasPlain = (field: string) => columns.some(({ to }, index) => to === field && readings[index]?.field !== field)
  const titles = listOf('title')
  const first = own !== undefined && titles.includes(own) ? own : titles.length === 1 ? titles[0] : undefined
  const baseOf = (field: string) => {
    if (hasPlain(field)) return undefined
    const languages = listOf(field)
    return (
      [first, own].find((language) => language !== undefined && languages.includes(language)) ??
      (languages.length === 1 ? languages[0] : undefined)
    )
  }
  const bases = new Map([...fields].map((field) => [field, baseOf(field)]))
  const taken = columns.map((column, index): PlannedColumn => {
    const reading = readings[index]
    if (!reading) return column
    const { field, language } = reading
    if (bases.get(field) === language) return { ...column, to: field, how: 'synonym' }
    if (field === 'category') return { ...column, to: null, how: 'left_out' }
    return { ...column, to: `${translationsPrefix}${language}.${field}`, how: 'synonym' }
  })
  const isOpen = titles.length > 1 && !hasPlain('title') && bases.get('title') === undefined
  const open = isOpen ? columns.flatMap(({ name }, index) => (readings[index]?.field === 'title' ? [name] : [])) : []
  return { columns: taken, open }
}
