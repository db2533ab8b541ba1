import { parseLanguage } from '../../platform/lib/languages/language-tag.ts'
import { createClock, isOpen, weekdays } from '../../platform/lib/opening-hours.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { parseAcceptLanguage } from '../pages/messages.ts'
import type { Resolved } from './isolate-cache.ts'
import { getRedirectUrl } from './redirect-url.ts'

/** The languages that a scan states. */
interface Guest {
  /** Parameter `lang` of the scanned address. */
  lang: string | undefined
  acceptLanguage: string | undefined
}

/** The language of a guest, as a canonical BCP 47 tag: the requested one, otherwise the one that the browser prefers. */
function findLanguage({ lang, acceptLanguage }: Guest): string | undefined {
  return parseLanguage(lang) ?? parseLanguage(parseAcceptLanguage(acceptLanguage).find((tag) => tag !== '*'))
}

const isOfLanguage = (wanted: string, language: string | undefined) =>
  language !== undefined && (language === wanted || language.startsWith(`${wanted}-`))

const readText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Whether the conditions of a stored rule hold at a local time. */
function isMet(when: Readonly<Record<string, unknown>>, language: string | undefined, local: number): boolean {
  const [begin, end, wanted] = [readText(when['begin']), readText(when['end']), readText(when['lang'])]
  const named: unknown = when['days']
  const days = Array.isArray(named) ? weekdays.filter((day) => named.includes(day)) : undefined
  if (wanted !== undefined && !isOfLanguage(wanted, language)) return false
  return isOpen({ allDayMenu: false, begin, end, days }, local)
}

/**
 * The target of a scan by the rules of its tag, at a time in seconds: the address of the first rule that matches; without one, that of the tag. An
 * address whose host the merchant does not have becomes that of the merchant.
 */
export function chooseTarget({ tag, venue, target }: Resolved, guest: Guest, at: number): string | undefined {
  const language = findLanguage(guest)
  const local = createClock(venue.timezone)(at)
  for (const rule of tag.rules ?? []) {
    if (!isObject(rule) || !isObject(rule['when']) || typeof rule['url'] !== 'string') continue
    if (isMet(rule['when'], language, local)) return getRedirectUrl(tag, venue, rule['url'])
  }
  return target
}
