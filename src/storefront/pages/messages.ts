/** The languages of the service's own texts: see `languages/`. */
export const pageLanguages = [
  ...(['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'da', 'sv', 'fi', 'hu', 'el', 'tr', 'ru', 'uk'] as const),
  ...(['ar', 'he', 'th', 'ja', 'ko', 'zh-Hans', 'zh-Hant'] as const),
]
/** A language of the service's own texts. */
export type PageLanguage = (typeof pageLanguages)[number]

/** Default language of the service's texts. */
export const fallbackLanguage: PageLanguage = 'en'

const isPageLanguage = (language: string): language is PageLanguage => pageLanguages.some((known) => known === language)

/** The language of the service's texts for a BCP 47 tag: `pt` for `pt-BR`, `zh-Hant` for `zh-TW`; undefined if the service does not support it. */
export function toPageLanguage(tag: string): PageLanguage | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    const name = language === 'zh' ? `zh-${script}` : language
    return isPageLanguage(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** The languages of an `Accept-Language` header, in order of preference. */
export const parseAcceptLanguage = (header = '') =>
  header
    .slice(0, 200)
    .split(',')
    .map((entry) => {
      const [tag = '', quality] = entry.split(';')
      return { tag: tag.trim(), weight: Number(quality?.split('=')[1] ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

/**
 * Chooses the language of the service's texts: the requested one, otherwise the first supported one of the browser; undefined if none is supported.
 */
export function choosePageLanguage(
  requested: string | undefined,
  header: string | undefined,
): PageLanguage | undefined {
  for (const tag of [...(requested === undefined ? [] : [requested]), ...parseAcceptLanguage(header)]) {
    const language = toPageLanguage(tag)
    if (language) return language
  }
  return undefined
}
