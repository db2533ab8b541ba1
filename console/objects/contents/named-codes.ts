import { computed } from '@preact/signals'
import { locale } from '../../app/language.ts'

type Kind = 'language' | 'region' | 'currency'

const createNames = (type: Kind) => new Intl.DisplayNames(locale.value, { type })
const names = computed(() => ({
  language: createNames('language'),
  region: createNames('region'),
  currency: createNames('currency'),
}))

/** The name of a code in the language of the console: `de` is "German". The code itself if it has no name. */
export function nameCode(kind: Kind, code: string): string {
  try {
    return names.value[kind].of(code) ?? code
  } catch {
    return code
  }
}

/** Languages that guests of a venue read. */
const languages =
  'ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lb lt lv mk ms mt nb nl pl pt pt-BR ro ru sk sl sq sr sv th tr uk vi zh zh-Hant'
/** Codes with their names, in the order of the names. `kept` is there too, whatever it is. */
function listNamed(nameOf: (code: string) => string, codes: readonly string[], kept: string) {
  const all = kept === '' || codes.includes(kept) ? codes : [...codes, kept]
  const { compare } = new Intl.Collator(locale.value)
  return all.map((code) => [code, nameOf(code)] as const).sort((a, b) => compare(a[1], b[1]))
}
const listCodes = (kind: Kind, codes: readonly string[], kept: string) =>
  listNamed((code) => nameCode(kind, code), codes, kept)
export const listLanguages = (kept: string) => listCodes('language', languages.split(' '), kept)
export const listCurrencies = (kept: string) => listCodes('currency', Intl.supportedValuesOf('currency'), kept)

/** Codes that browsers name and that are no countries. */
const noCountries = 'EU EZ QO UN XA XB ZZ'
/** Codes of the countries that the browser knows. Those of former countries stand for countries of today. */
const countries = computed(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter(
    (code) =>
      nameCode('region', code) !== code &&
      !noCountries.includes(code) &&
      new Intl.Locale(`und-${code}`).region === code,
  )
})
export const listCountries = (kept: string) => listCodes('region', countries.value, kept)

/** The name of a time zone: "Central European Time". */
export const nameZone = (timeZone = 'UTC') =>
  new Intl.DateTimeFormat(locale.value, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

/** The place of a time zone: "Lisbon". Browsers have no names of places in other languages, and to name all zones takes a phone too long. */
const toPlace = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
export const listZones = (kept: string) => listNamed(toPlace, Intl.supportedValuesOf('timeZone'), kept)
