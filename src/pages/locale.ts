/** Countries that share a currency are told apart by the city of their time zone. */
const euroCities: Readonly<Record<string, string>> = {
  'Europe/Amsterdam': 'NL',
  'Europe/Athens': 'GR',
  'Europe/Berlin': 'DE',
  'Europe/Bratislava': 'SK',
  'Europe/Brussels': 'BE',
  'Europe/Dublin': 'IE',
  'Europe/Helsinki': 'FI',
  'Europe/Lisbon': 'PT',
  'Europe/Ljubljana': 'SI',
  'Europe/Luxembourg': 'LU',
  'Europe/Madrid': 'ES',
  'Europe/Paris': 'FR',
  'Europe/Riga': 'LV',
  'Europe/Rome': 'IT',
  'Europe/Sofia': 'BG',
  'Europe/Tallinn': 'EE',
  'Europe/Vienna': 'AT',
  'Europe/Vilnius': 'LT',
  'Europe/Zagreb': 'HR',
  'Atlantic/Azores': 'PT',
  'Atlantic/Canary': 'ES',
  'Atlantic/Madeira': 'PT',
}

/** A writing system, how its letters are known, and the language to assume where the country says nothing else. */
const scripts = [
  ['Jpan', 'ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ['Kore', 'ko', /\p{sc=Hangul}/gu],
  ['Hans', 'zh', /\p{sc=Han}/gu],
  ['Arab', 'ar', /\p{sc=Arabic}/gu],
  ['Hebr', 'he', /\p{sc=Hebrew}/gu],
  ['Cyrl', 'ru', /\p{sc=Cyrillic}/gu],
  ['Grek', 'el', /\p{sc=Greek}/gu],
  ['Thai', 'th', /\p{sc=Thai}/gu],
  ['Deva', 'hi', /\p{sc=Devanagari}/gu],
] as const

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'ckb', 'yi', 'dv', 'sd', 'ug'])

/** How a venue writes: the language of its menu where its letters tell, its direction, and the locale of its prices. */
export interface Locale {
  language: string | undefined
  direction: 'ltr' | 'rtl'
  locale: string
}

/** The country of a venue. A currency's code begins with its country's, but for those that several countries share. */
function getRegion(currency: string | undefined, timezone: string): string | undefined {
  if (currency === 'EUR') return euroCities[timezone]
  return currency && !currency.startsWith('X') ? currency.slice(0, 2) : undefined
}

/** The writing system of a text whose letters are not mostly Latin. Kana tell Japanese, even where few stand among Han. */
function detectScript(text: string) {
  const latin = text.match(/\p{sc=Latin}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0 || latin * 2 > letters) return undefined
  const counted = scripts.map(([script, language, form]) => ({
    script,
    language,
    count: (text.match(form)?.length ?? 0) * (script === 'Jpan' ? 5 : 1),
  }))
  const [most] = counted.sort((a, b) => b.count - a.count)
  return most && most.count > 0 ? most : undefined
}

/** How a venue writes, judged by its currency, its time zone and the text of its menu; `asked` is a language that wins. */
export function detectLocale(
  { currency, timezone }: { currency?: string | undefined; timezone: string },
  text: string,
  asked: string | undefined,
): Locale {
  const region = getRegion(currency, timezone)
  const likely = new Intl.Locale(region ? `und-${region}` : 'en').maximize()
  const written = detectScript(text)
  // Hans and Hant are one set of letters as far as this can tell.
  const agrees = likely.script?.slice(0, 3) === (written?.script ?? 'Latn').slice(0, 3)
  const language = written && (agrees ? likely.language : written.language)
  const ofPrices = asked ?? (agrees ? likely.language : (written?.language ?? 'en'))
  return {
    language,
    direction: language && rightToLeft.has(language) ? 'rtl' : 'ltr',
    locale: new Intl.Locale(ofPrices, region ? { region } : {}).toString(),
  }
}

/** A language a guest named, in its canonical form; undefined for what is not the name of one. */
export function parseLanguage(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(name)) return undefined
  try {
    return new Intl.Locale(name).toString()
  } catch {
    return undefined
  }
}
