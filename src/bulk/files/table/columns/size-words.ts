import { findField, priceParts } from '../headings.ts'
import { normalizeHeading } from '../normalize-heading.ts'

/** Words for sizes and portions, in the languages of the pages. */
const words = [
  'xs,s,m,l,xl,xxl,small,medium,large,extra large,regular,half,full,single,double,mini,maxi,glass,bottle,carafe,pint,slice,whole',
  'klein,kleine,mittel,groß,große,normal,halb,halbe,ganz,ganze,Glas,Flasche,Karaffe,petit,petite,moyen,moyenne,grand,grande,demi,verre,bouteille,pichet',
  'pequeño,pequeña,mediano,mediana,media,media ración,ración,tapa,copa,botella,piccolo,piccola,medio,calice,bicchiere,bottiglia,pequeno,pequena,médio,copo,garrafa',
  'middel,groot,grote,fles,mały,mała,średni,średnia,duży,duża,malý,malá,střední,velký,velká,lille,mellem,stor,liten,mellan,pieni,iso,kicsi,kis,közepes,nagy',
  'μικρό,μικρή,μεσαίο,μεσαία,μεγάλο,μεγάλη,küçük,orta,büyük,маленький,маленькая,средний,средняя,большой,большая,малий,мала,середній,середня,великий,велика',
  'صغير,وسط,كبير,קטן,בינוני,גדול,เล็ก,กลาง,ใหญ่,小,中,大,並,小盛,大盛,グラス,ボトル,소,중,대,小份,中份,大份,小杯,中杯,大杯',
]
let known: ReadonlySet<string> | undefined

/** Contents, such as `0.3 l`, and widths of pizzas. */
const contents = /^(?:ø\s?)?\d{1,4}(?:[.,]\d{1,3})?\s?(?:ml|cl|dl|l|lt|ltr|liter|litre|oz|g|gr|kg|cm|inch|"|″)\.?$/i

/** Whether a text names a size, such as `small`, `Glas` or `0.3 l`. */
export function isSizeLabel(text: string): boolean {
  known ??= new Set(words.flatMap((line) => line.split(',').map(normalizeHeading)))
  return contents.test(text) || known.has(normalizeHeading(text))
}

/** Maximum number of characters of a heading that names a size. */
const maxUnits = 100

const priceField = new Set(['price'])
const isPriceWord = (word: string) =>
  /^(?:\p{Sc}|EUR|USD|GBP|CHF)$/u.test(word) ||
  priceParts.test(word.toLowerCase()) ||
  findField(word, priceField) !== undefined

/** The size in the heading of a column with its price, such as `Price small`, `Preis (0,3 l)` or `klein`. Undefined for other headings. */
export function readSizeHeading(heading: string): string | undefined {
  if (heading.length > maxUnits) return undefined
  const parts = heading.split(/[\s_()[\]:]|-(?=\p{L})/u).filter((word) => word !== '' && !isPriceWord(word))
  const label = parts.join(' ')
  return label !== '' && isSizeLabel(label) ? label : undefined
}

/** Words for the minor unit of a currency at the end of a heading, such as `price_cents`, `priceInCents` or `Preis (Cent)`. */
const centsParts = [
  /(?<=[\s_(-])(?:in[\s_])?(?:cents?|centimes|céntimos|centesimi|pence|minor(?:[\s_]?units?)?)\)?$/iu,
  /(?<=[a-z])(?:In)?(?:Cents?|Pence|Minor(?:Units?)?)$/u,
]

/** Whether a heading says that its prices are in cents. */
export const saysCents = (heading: string): boolean => centsParts.some((part) => part.test(heading.trim()))
/** A heading without what it says about cents. */
export const withoutCents = (heading: string): string =>
  centsParts.reduce((text, part) => text.replace(part, ''), heading.trim())
