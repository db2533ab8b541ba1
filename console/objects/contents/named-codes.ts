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
function listNamed(kind: Kind, codes: readonly string[], kept: string): readonly (readonly [string, string])[] {
  const all = kept === '' || codes.includes(kept) ? codes : [...codes, kept]
  const { compare } = new Intl.Collator(locale.value)
  return all.map((code) => [code, nameCode(kind, code)] as const).sort((a, b) => compare(a[1], b[1]))
}
export const listLanguages = (kept: string) => listNamed('language', languages.split(' '), kept)
export const listCurrencies = (kept: string) => listNamed('currency', Intl.supportedValuesOf('currency'), kept)

/** Codes that browsers name and that are no countries. */
const noCountries = 'EU EZ QO UN XA XB ZZ'
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes of the countries that the browser knows. Those of former countries stand for countries of today. */
const countries = computed(() => {
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter(
    (code) =>
      nameCode('region', code) !== code &&
      !noCountries.includes(code) &&
      new Intl.Locale(`und-${code}`).region === code,
  )
})
export const listCountries = (kept: string) => listNamed('region', countries.value, kept)

/** The name of a time zone: "Central European Time". */
export const nameZone = (timeZone = 'UTC') =>
  new Intl.DateTimeFormat(locale.value, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

/** A time zone with its place: "Lisbon, Western European Time". */
const toOption = (zone: string) =>
  [zone, `${zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')}, ${nameZone(zone)}`] as const
/** All time zones by their places. To name them takes long, so that it is done once. */
const zones = computed(() => {
  const { compare } = new Intl.Collator(locale.value)
  return Intl.supportedValuesOf('timeZone')
    .map(toOption)
    .sort((a, b) => compare(a[1], b[1]))
})
export const listZones = (kept: string) =>
  zones.value.some(([zone]) => zone === kept) ? zones.value : [toOption(kept), ...zones.value]
