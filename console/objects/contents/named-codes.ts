import { locale } from '../../app/language.ts'

type Kind = 'language' | 'region' | 'currency'

/** The name of a code in the language of the console: `de` is "German". The code itself if it has no name. */
export function nameCode(kind: Kind, code: string): string {
  try {
    return new Intl.DisplayNames(locale.value, { type: kind }).of(code) ?? code
  } catch {
    return code
  }
}

/** Languages that guests of a venue read. */
const languages =
  'ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lb lt lv mk ms mt nb nl pl pt pt-BR ro ru sk sl sq sr sv th tr uk vi zh zh-Hant'
/** Countries by their ISO codes. */
const countries =
  'AD AE AL AM AR AT AU AZ BA BE BG BH BO BR BY CA CH CL CN CO CR CY CZ DE DK DO DZ EC EE EG ES FI FR GB GE GI GR GT HK HN HR HU ID IE IL IN IS IT JM JO JP KE KR KW LB LI LT LU LV MA MC MD ME MK MT MU MV MX MY NG NI NL NO NZ OM PA PE PH PK PL PT PY QA RO RS RU SA SE SG SI SK SM SN SV TH TN TR TW UA US UY VE VN XK ZA'

/** Codes with their names, in the order of the names. `kept` is there too, whatever it is. */
function listNamed(kind: Kind, codes: readonly string[], kept: string): readonly (readonly [string, string])[] {
  const all = kept === '' || codes.includes(kept) ? codes : [...codes, kept]
  const { compare } = new Intl.Collator(locale.value)
  return all.map((code) => [code, nameCode(kind, code)] as const).sort((a, b) => compare(a[1], b[1]))
}
export const listLanguages = (kept: string) => listNamed('language', languages.split(' '), kept)
export const listCountries = (kept: string) => listNamed('region', countries.split(' '), kept)
export const listCurrencies = (kept: string) => listNamed('currency', Intl.supportedValuesOf('currency'), kept)

/** Time zones as people name them: "Lisbon, Europe". */
export function listZones(kept: string): readonly (readonly [string, string])[] {
  const zones = Intl.supportedValuesOf('timeZone')
  const all = kept === '' || zones.includes(kept) ? zones : [...zones, kept]
  return all.map((zone) => {
    const [area = '', ...place] = zone.replaceAll('_', ' ').split('/')
    return [zone, place.length === 0 ? area : `${place.reverse().join(', ')}, ${area}`] as const
  })
}
