import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Select } from '../../ui/select.tsx'
import type { Reading } from './import-store.ts'

/** Encodings with the languages that use them. */
const pages = [
  ['windows-1252', 'en de fr es'],
  ['windows-1250', 'pl cs hu'],
  ['windows-1251', 'ru uk'],
  ['windows-1253', 'el'],
  ['windows-1254', 'tr'],
  ['windows-1255', 'he'],
  ['windows-1256', 'ar'],
  ['windows-874', 'th'],
  ['shift_jis', 'ja'],
  ['euc-jp', 'ja'],
  ['gb18030', 'zh-Hans'],
  ['big5', 'zh-Hant'],
  ['euc-kr', 'ko'],
  ['iso-8859-15', 'en'],
  ['macintosh', 'en'],
] as const

/** Languages in these languages. */
const nameLanguages = (languages: string) =>
  languages
    .split(' ')
    .map((language) => new Intl.DisplayNames(language, { type: 'language' }).of(language))
    .join(', ')

/** The code page of a file that is not Unicode: it is guessed, so letters may be wrong. Nothing for other files. */
export function CodePage(props: {
  encoding: Reading['encoding']
  choice: ImportMapping['encoding']
  onChoose: (choices: ImportMapping) => void
}) {
  const [value] = pages.find(([page]) => page === (props.choice ?? props.encoding)) ?? []
  if (!value) return null
  return (
    <Select
      label={t().transfer.codePage}
      value={value}
      options={pages.map(([page, languages]) => [page, `${page} · ${nameLanguages(languages)}`] as const)}
      onChange={(encoding) => props.onChoose({ encoding })}
    />
  )
}
