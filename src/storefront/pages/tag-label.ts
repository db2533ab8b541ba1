import type { PageLanguage } from './messages.ts'

/** The word for a table, before its number or name. */
const tableWords: Readonly<Record<PageLanguage, string>> = {
  ...{
    en: 'Table',
    de: 'Tisch',
    fr: 'Table',
    es: 'Mesa',
    it: 'Tavolo',
    pt: 'Mesa',
    nl: 'Tafel',
    pl: 'Stolik',
    cs: 'Stůl',
  },
  ...{ da: 'Bord', sv: 'Bord', fi: 'Pöytä', hu: 'Asztal', el: 'Τραπέζι', tr: 'Masa', ru: 'Стол', uk: 'Стіл' },
  ...{ ar: 'طاولة', he: 'שולחן', th: 'โต๊ะ', ja: 'テーブル', ko: '테이블', 'zh-Hans': '桌号', 'zh-Hant': '桌號' },
}
/** Key of the table in the metadata that the console and imports write. */
const tableKey = 'table'
const areaKeys: ReadonlySet<string> = new Set(['area', 'zone', 'bereich'])

interface Entry {
  key: string
  value: string
}

const startsWith = (value: string, word: string) => value.toLowerCase().startsWith(word.toLowerCase())

/** Whether an entry names a part of the venue: "Terrace". */
export const isArea = ({ key }: Pick<Entry, 'key'>) => areaKeys.has(key.trim().toLowerCase())

/**
 * Label of an entry of a tag's metadata: "Table 4", "Tisch 4" for `table` in a German text. An area is its name: "Terrace"; only numbers and single
 * letters need the word: "Area 2".
 */
export function toTagLabel(entry: Entry, language?: PageLanguage): string {
  const { key, value } = entry
  const name = key.replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ').trim()
  if (name === '' || startsWith(value, name) || (isArea(entry) && /\p{L}{2}/u.test(value))) return value
  const isTable = language !== undefined && name.toLowerCase() === tableKey
  const word = isTable ? tableWords[language] : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return startsWith(value, word) ? value : `${word} ${value}`
}

/** Label of a tag, from all its entries. */
export const toTagTitle = (entries: readonly Entry[], language?: PageLanguage) =>
  entries.map((entry) => toTagLabel(entry, language)).join(', ')
