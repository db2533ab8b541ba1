import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { Select } from '../../ui/select.tsx'
import type { Reading } from './import-store.ts'

/** Code pages with the languages that use them, in these languages. */
const pages = [
  ['windows-1252', 'windows-1252 · English, Deutsch, Français, Español'],
  ['windows-1250', 'windows-1250 · Polski, Čeština, Magyar'],
  ['windows-1251', 'windows-1251 · Русский, Українська'],
  ['windows-1253', 'windows-1253 · Ελληνικά'],
  ['windows-1254', 'windows-1254 · Türkçe'],
  ['windows-1255', 'windows-1255 · עברית'],
  ['windows-1256', 'windows-1256 · العربية'],
  ['windows-874', 'windows-874 · ไทย'],
  ['iso-8859-15', 'ISO 8859-15'],
  ['macintosh', 'Mac Roman'],
] as const

/** The code page of a file that is not Unicode: it is guessed, so letters may be wrong. Nothing for other files. */
export function CodePage(props: {
  encoding: Reading['encoding']
  choice: ImportMapping['encoding']
  onChoose: (choices: ImportMapping) => void
}) {
  const found = pages.find(([page]) => page === props.encoding)
  if (!found) return null
  const [chosen] = pages.find(([page]) => page === props.choice) ?? found
  return (
    <Select
      label={t().transfer.codePage}
      value={chosen}
      options={pages}
      onChange={(encoding) => props.onChoose({ encoding })}
    />
  )
}
