/** What the page says in its own words; everything else is the venue's. */
export interface Words {
  test: string
  closed: string
  none: string
  soldOut: string
  /** In front of the title of the menu that opens next, and the time. */
  next: (title: unknown, time: string) => readonly unknown[]
}

const dictionary: Readonly<Record<string, Words>> = {
  en: {
    test: 'Test mode: nothing here can be ordered.',
    closed: 'Nothing is being served right now.',
    none: 'There is no menu here yet.',
    soldOut: 'Sold out',
    next: (title, time) => [title, ` is served from ${time}.`],
  },
  de: {
    test: 'Testbetrieb: Hier kann nichts bestellt werden.',
    closed: 'Gerade wird nichts serviert.',
    none: 'Hier gibt es noch keine Karte.',
    soldOut: 'Ausverkauft',
    next: (title, time) => [title, ` gibt es ab ${time}.`],
  },
  es: {
    test: 'Modo de prueba: aquí no se puede pedir nada.',
    closed: 'Ahora mismo no se sirve nada.',
    none: 'Aquí todavía no hay carta.',
    soldOut: 'Agotado',
    next: (title, time) => [title, `: a partir de ${time}.`],
  },
  fr: {
    test: 'Mode test : rien ne peut être commandé ici.',
    closed: 'Rien n’est servi en ce moment.',
    none: 'Il n’y a pas encore de carte ici.',
    soldOut: 'Épuisé',
    next: (title, time) => [title, ` : à partir de ${time}.`],
  },
  it: {
    test: 'Modalità di prova: qui non si può ordinare nulla.',
    closed: 'In questo momento non si serve nulla.',
    none: 'Qui non c’è ancora un menù.',
    soldOut: 'Esaurito',
    next: (title, time) => [title, `: dalle ${time}.`],
  },
  nl: {
    test: 'Testmodus: hier kan niets worden besteld.',
    closed: 'Er wordt nu niets geserveerd.',
    none: 'Hier is nog geen kaart.',
    soldOut: 'Uitverkocht',
    next: (title, time) => [title, ` is er vanaf ${time}.`],
  },
  pt: {
    test: 'Modo de teste: aqui não se pode pedir nada.',
    closed: 'De momento não está nada a ser servido.',
    none: 'Ainda não há ementa aqui.',
    soldOut: 'Esgotado',
    next: (title, time) => [title, `: a partir das ${time}.`],
  },
  ja: {
    test: 'テストモード：ここでは注文できません。',
    closed: 'ただいまご提供できるメニューはありません。',
    none: 'メニューはまだありません。',
    soldOut: '売り切れ',
    next: (title, time) => [title, `：${time}から。`],
  },
}

const english = 'en'

/** The languages of an `Accept-Language` header, the most wanted first. */
const wanted = (header: string) =>
  header
    .slice(0, 200)
    .split(',')
    .map((entry) => {
      const [name = '', quality] = entry.split(';')
      return { language: name.trim().toLowerCase().split('-')[0] ?? '', weight: Number(quality?.split('=')[1] ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)

/** The language of the page's own words: the one asked for, else the first the browser names that there is, else English. */
export function languageOfWords(asked: string | undefined, header: string | undefined): string {
  const languages = [...(asked ? [asked.split('-')[0] ?? ''] : []), ...wanted(header ?? '')]
  return languages.find((language) => Object.hasOwn(dictionary, language)) ?? english
}

/** The page's own words in a language that `languageOfWords` named. */
export function wordsIn(language: string): Words {
  const words = dictionary[language] ?? dictionary[english]
  if (!words) throw new Error('There are no English words')
  return words
}
