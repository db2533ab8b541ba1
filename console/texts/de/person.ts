import type { Texts } from '../en.ts'

/** German texts of what concerns the person rather than the venue. */
export const person: Texts['person'] = {
  title: 'Bestätige, dass du es bist',
  text: 'Das gibt Zugang zu deinen Betrieben. Benutze noch einmal einen deiner Passkeys. Du wirst einmal in fünf Minuten gefragt.',
  operatorText:
    'Das gibt Zugang zu einem Betrieb. Gib das Token noch einmal ein. Du wirst einmal in fünf Minuten gefragt.',
  operatorPersonText:
    'Das gibt Zugang zum Dienst. Benutze noch einmal deinen Passkey: lass das Token leer. Du wirst einmal in fünf Minuten gefragt.',
  confirm: 'Bestätigen',
  rejected: 'Das ist keiner deiner Passkeys.',
  unconfirmed: 'Du hast nicht bestätigt, dass du es bist. Es wurde nichts geändert.',
  noticesTitle: 'Deine Passkeys haben sich geändert',
  'passkeys.create': (name, venue, time) => `„${name}“ wurde hinzugefügt: ${venue}, ${time}.`,
  'passkeys.delete': (name, venue, time) => `„${name}“ wurde gelöscht: ${venue}, ${time}.`,
  noticesText:
    'Ein Passkey öffnet alle deine Betriebe. Wenn du das nicht warst, lösche die Passkeys, die du nicht kennst, und sag den anderen Inhabern Bescheid.',
  understood: 'Verstanden',
}
