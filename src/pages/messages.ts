/** Texts of pages for guests. All other text on a page is the venue's. */
export interface Messages {
  test: string
  closed: string
  noMenu: string
  soldOut: string
  /** Titles of error pages. */
  deleted: string
  unknown: string
  unavailable: string
  /** Texts of error pages. */
  askStaff: string
  tryAgain: string
  /** Link to the next part of a menu that is too long for one page. */
  more: string
  /** Notice that a page does not show the whole menu. */
  truncated: string
  /** Says when the next menu opens, from its title and the time. */
  next: (title: unknown, time: string) => readonly unknown[]
}

const messagesByLanguage: Readonly<Record<string, Messages>> = {
  en: {
    test: 'Test mode: nothing here can be ordered.',
    closed: 'Nothing is being served right now.',
    noMenu: 'There is no menu here yet.',
    soldOut: 'Sold out',
    deleted: 'This code is no longer in use',
    unknown: 'There is nothing here',
    unavailable: 'We will be back in a moment',
    askStaff: 'Please ask the staff for the menu.',
    tryAgain: 'Please try again in a minute.',
    more: 'The rest of the menu',
    truncated: 'This is not the whole menu. Please ask the staff for the rest.',
    next: (title, time) => [title, ` is served from ${time}.`],
  },
  de: {
    test: 'Testbetrieb: Hier kann nichts bestellt werden.',
    closed: 'Gerade wird nichts serviert.',
    noMenu: 'Hier gibt es noch keine Karte.',
    soldOut: 'Ausverkauft',
    deleted: 'Dieser Code gilt nicht mehr',
    unknown: 'Hier ist nichts',
    unavailable: 'Wir sind gleich wieder da',
    askStaff: 'Bitte fragen Sie das Personal nach der Karte.',
    tryAgain: 'Bitte versuchen Sie es in einer Minute noch einmal.',
    more: 'Der Rest der Karte',
    truncated: 'Das ist nicht die ganze Karte. Bitte fragen Sie das Personal nach dem Rest.',
    next: (title, time) => [title, ` gibt es ab ${time}.`],
  },
  es: {
    test: 'Modo de prueba: aquí no se puede pedir nada.',
    closed: 'Ahora mismo no se sirve nada.',
    noMenu: 'Aquí todavía no hay carta.',
    soldOut: 'Agotado',
    deleted: 'Este código ya no se usa',
    unknown: 'Aquí no hay nada',
    unavailable: 'Volvemos enseguida',
    askStaff: 'Pida la carta al personal, por favor.',
    tryAgain: 'Inténtelo de nuevo en un minuto, por favor.',
    more: 'El resto de la carta',
    truncated: 'Esta no es toda la carta. Pregunte al personal por el resto, por favor.',
    next: (title, time) => [title, `: a partir de ${time}.`],
  },
  fr: {
    test: 'Mode test : rien ne peut être commandé ici.',
    closed: 'Rien n’est servi en ce moment.',
    noMenu: 'Il n’y a pas encore de carte ici.',
    soldOut: 'Épuisé',
    deleted: 'Ce code n’est plus utilisé',
    unknown: 'Il n’y a rien ici',
    unavailable: 'Nous revenons tout de suite',
    askStaff: 'Veuillez demander la carte au personnel.',
    tryAgain: 'Veuillez réessayer dans une minute.',
    more: 'La suite de la carte',
    truncated: 'Ce n’est pas toute la carte. Veuillez demander le reste au personnel.',
    next: (title, time) => [title, ` : à partir de ${time}.`],
  },
  it: {
    test: 'Modalità di prova: qui non si può ordinare nulla.',
    closed: 'In questo momento non si serve nulla.',
    noMenu: 'Qui non c’è ancora un menù.',
    soldOut: 'Esaurito',
    deleted: 'Questo codice non è più in uso',
    unknown: 'Qui non c’è nulla',
    unavailable: 'Torniamo subito',
    askStaff: 'Chieda il menù al personale, per favore.',
    tryAgain: 'Riprovi tra un minuto, per favore.',
    more: 'Il resto del menù',
    truncated: 'Questo non è tutto il menù. Chieda il resto al personale, per favore.',
    next: (title, time) => [title, `: dalle ${time}.`],
  },
  nl: {
    test: 'Testmodus: hier kan niets worden besteld.',
    closed: 'Er wordt nu niets geserveerd.',
    noMenu: 'Hier is nog geen kaart.',
    soldOut: 'Uitverkocht',
    deleted: 'Deze code wordt niet meer gebruikt',
    unknown: 'Hier is niets',
    unavailable: 'We zijn zo terug',
    askStaff: 'Vraag het personeel om de kaart.',
    tryAgain: 'Probeer het over een minuut opnieuw.',
    more: 'De rest van de kaart',
    truncated: 'Dit is niet de hele kaart. Vraag het personeel naar de rest.',
    next: (title, time) => [title, ` is er vanaf ${time}.`],
  },
  pt: {
    test: 'Modo de teste: aqui não se pode pedir nada.',
    closed: 'De momento não está nada a ser servido.',
    noMenu: 'Ainda não há ementa aqui.',
    soldOut: 'Esgotado',
    deleted: 'Este código já não está em uso',
    unknown: 'Não há nada aqui',
    unavailable: 'Voltamos já',
    askStaff: 'Peça a ementa ao pessoal, por favor.',
    tryAgain: 'Tente de novo dentro de um minuto, por favor.',
    more: 'O resto da ementa',
    truncated: 'Esta não é a ementa completa. Peça o resto ao pessoal, por favor.',
    next: (title, time) => [title, `: a partir das ${time}.`],
  },
  ja: {
    test: 'テストモード：ここでは注文できません。',
    closed: 'ただいまご提供できるメニューはありません。',
    noMenu: 'メニューはまだありません。',
    soldOut: '売り切れ',
    deleted: 'このコードは使われていません',
    unknown: 'ここには何もありません',
    unavailable: 'ただいま接続できません',
    askStaff: 'スタッフにメニューをお尋ねください。',
    tryAgain: '1分後にもう一度お試しください。',
    more: 'メニューの続き',
    truncated: 'メニューの一部のみ表示しています。続きはスタッフにお尋ねください。',
    next: (title, time) => [title, `：${time}から。`],
  },
}

const fallbackLanguage = 'en'

/** The languages of an `Accept-Language` header, in order of preference. */
const parseAcceptLanguage = (header: string) =>
  header
    .slice(0, 200)
    .split(',')
    .map((entry) => {
      const [name = '', quality] = entry.split(';')
      return { language: name.trim().toLowerCase().split('-')[0] ?? '', weight: Number(quality?.split('=')[1] ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)

/** Chooses the language of a page's texts: the requested one, else the browser's first that is supported, else English. */
export function chooseMessageLanguage(requested: string | undefined, header: string | undefined): string {
  const languages = [...(requested ? [requested.split('-')[0] ?? ''] : []), ...parseAcceptLanguage(header ?? '')]
  return languages.find((language) => Object.hasOwn(messagesByLanguage, language)) ?? fallbackLanguage
}

/** The texts in a language that `chooseMessageLanguage` returned. */
export function getMessages(language: string): Messages {
  const messages = messagesByLanguage[language] ?? messagesByLanguage[fallbackLanguage]
  if (!messages) throw new Error('There are no English messages.')
  return messages
}
