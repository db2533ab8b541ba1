/** Words for true and false, and for yes and no, in the languages of the pages. Spreadsheets write the first pair. */
const words: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  en: ['true yes', 'false no'],
  de: ['wahr ja', 'falsch nein'],
  fr: ['vrai oui', 'faux non'],
  es: ['verdadero sí si', 'falso no'],
  it: ['vero sì si', 'falso no'],
  pt: ['verdadeiro sim', 'falso não nao'],
  nl: ['waar ja', 'onwaar nee'],
  pl: ['prawda tak', 'fałsz falsz nie'],
  cs: ['pravda ano', 'nepravda ne'],
  da: ['sand ja', 'falsk nej'],
  sv: ['sant ja', 'falskt nej'],
  fi: ['tosi kyllä kylla', 'epätosi ei'],
  hu: ['igaz igen', 'hamis nem'],
  el: ['αληθές αληθεσ ναι', 'ψευδές ψευδεσ όχι οχι'],
  tr: ['doğru dogru evet', 'yanlış yanlis hayır hayir'],
  ru: ['истина да', 'ложь нет'],
  uk: ['істина так', 'хибність ні'],
  ar: ['صحيح صواب نعم', 'خطأ لا'],
  he: ['אמת כן', 'שקר לא'],
  th: ['จริง ใช่', 'เท็จ ไม่ ไม่ใช่'],
  ja: ['真 はい', '偽 いいえ'],
  ko: ['참 예 네', '거짓 아니요 아니오'],
  'zh-Hans': ['真 是', '假 否'],
  'zh-Hant': ['真 是', '假 否'],
}

const marks: readonly (readonly [string, boolean])[] = [
  ...(['1', 'x', '✓', '✔', 'on'] as const).map((text) => [text, true] as const),
  ...(['0', 'off'] as const).map((text) => [text, false] as const),
]

const fold = (text: string) => text.trim().toLowerCase().normalize('NFC')

const byWord = new Map(marks)
for (const [yes, no] of Object.values(words)) {
  for (const word of yes.split(' ')) byWord.set(word.normalize('NFC'), true)
  for (const word of no.split(' ')) byWord.set(word.normalize('NFC'), false)
}

/** Initials of a language: those of all its words, without the letters that start words of both meanings. */
function listInitials([yes, no]: readonly [string, string]): [string, boolean][] {
  const initialsOf = (text: string) => text.split(' ').map((word) => word.slice(0, 1))
  const [trues, falses] = [initialsOf(yes), initialsOf(no)]
  return [
    ...trues.filter((letter) => !falses.includes(letter)).map((letter): [string, boolean] => [letter, true]),
    ...falses.filter((letter) => !trues.includes(letter)).map((letter): [string, boolean] => [letter, false]),
  ]
}

const byInitial = new Map<string, boolean | undefined>()
for (const pair of Object.values(words)) {
  for (const [letter, value] of listInitials(pair)) {
    byInitial.set(letter, byInitial.has(letter) && byInitial.get(letter) !== value ? undefined : value)
  }
}
// The Turkish word for false is the only one with this initial. Nobody writes it with one letter.
byInitial.set('y', true)

/**
 * The boolean that a word or an initial means. An initial counts only where every language agrees, or if the language of the headings is
 * known. Undefined if the text is not a boolean.
 */
export function readBoolean(text: string, language?: string): boolean | undefined {
  const folded = fold(text)
  const known = byWord.get(folded)
  if (known !== undefined) return known
  const pair = language === undefined ? undefined : words[language]
  const own = pair ? new Map(listInitials(pair)).get(folded) : undefined
  return own ?? byInitial.get(folded)
}
