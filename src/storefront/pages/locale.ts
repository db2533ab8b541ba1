/** Countries of the euro by time zone. */
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

/** Scripts, their default languages and the patterns of their letters. */
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

/** Writing direction of a language, a BCP 47 tag. */
export const getDirection = (language: string | undefined): 'ltr' | 'rtl' =>
  rightToLeft.has(language?.split('-')[0] ?? '') ? 'rtl' : 'ltr'

const rightToLeftLetter = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]/u

/**
 * Whether a text needs an explicit right-to-left direction. Without it, browsers use the direction of the first letter, but a text in Hebrew may
 * begin with a foreign word.
 */
export function needsDirection(text: string, direction: 'ltr' | 'rtl'): boolean {
  if (direction === 'ltr' || !rightToLeftLetter.test(text)) return false
  const [first = ''] = /\p{L}/u.exec(text) ?? []
  return !rightToLeftLetter.test(first)
}

/** Language of a menu (stated by its venue, or detected from its script), its direction, and the locale of its prices. */
export interface Locale {
  language: string | undefined
  direction: 'ltr' | 'rtl'
  locale: string
}

/** Country of a venue. The code of a currency begins with its country, except for shared currencies (`EUR`, `X…`). */
function getRegion(currency: string | undefined, timezone: string): string | undefined {
  if (currency === 'EUR') return euroCities[timezone]
  return currency && !currency.startsWith('X') ? currency.slice(0, 2) : undefined
}

/** Weight of kana against Han. */
const kanaWeight = 5

/** Script of a text; undefined if mostly Latin. Japanese text is mostly Han, so kana weigh more. */
function detectScript(text: string) {
  const latin = text.match(/\p{sc=Latin}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0 || latin * 2 > letters) return undefined
  const counts = scripts.map(([script, language, pattern]) => ({
    script,
    language,
    count: (text.match(pattern)?.length ?? 0) * (script === 'Jpan' ? kanaWeight : 1),
  }))
  const [first] = counts.sort((a, b) => b.count - a.count)
  return first && first.count > 0 ? first : undefined
}

/** Location and language settings of a venue. */
interface VenueOrigin {
  currency?: string | undefined
  timezone: string
  language?: string | undefined
  address?: { country?: string | undefined } | undefined
}

const withRegion = (language: string, region: string | undefined) =>
  new Intl.Locale(language, region ? { region } : {}).toString()

/** The locale of a venue: as stated, otherwise detected from its currency, time zone and text. `requestedLanguage` takes precedence for prices. */
export function detectLocale(
  { currency, timezone, language: stated, address }: VenueOrigin,
  text: string,
  requestedLanguage: string | undefined,
): Locale {
  const region = address?.country ?? getRegion(currency, timezone)
  if (stated !== undefined) {
    const locale = withRegion(requestedLanguage ?? stated, region)
    return { language: stated, direction: getDirection(stated), locale }
  }
  const likely = new Intl.Locale(region ? `und-${region}` : 'en').maximize()
  const detected = detectScript(text)
  // Letters alone do not distinguish Hans from Hant.
  const agrees = likely.script?.slice(0, 3) === (detected?.script ?? 'Latn').slice(0, 3)
  const language = detected && (agrees ? likely.language : detected.language)
  const priceLanguage = requestedLanguage ?? (agrees ? likely.language : (detected?.language ?? 'en'))
  return {
    language,
    direction: getDirection(language),
    locale: withRegion(priceLanguage, region),
  }
}
