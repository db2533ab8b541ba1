import type { Texts } from '../en.ts'

/** German texts of the operator's screen Venues. */
export const venues: Texts['venues'] = {
  search: 'Betriebe suchen',
  create: 'Neuer Betrieb',
  name: 'Name',
  status: 'Zustand',
  created: 'Angelegt',
  statuses: { active: 'Aktiv', suspended: 'Gesperrt', closed: 'Geschlossen' },
  none: 'Kein Betrieb passt dazu.',
  isCreated: (name) => `„${name}“ ist angelegt. Lade den Inhaber ein.`,
  usage: 'Nutzung',
  resource: 'Art',
  live: 'Live',
  test: 'Test',
  size: 'Gespeichert',
  megabytes: (size) => `${size} MB`,
  pending: 'Wartende Zustellungen',
  failed: 'Gescheiterte Zustellungen, 30 Tage',
  suspend: 'Sperren',
  suspendTitle: (name) => `„${name}“ sperren?`,
  suspendText:
    'Schlüssel und Sitzungen gelten in spätestens einer Minute nicht mehr, Gäste sehen einen Hinweis, Zustellungen warten. Nichts wird gelöscht.',
  suspended: (name) => `„${name}“ ist gesperrt.`,
  resume: 'Freigeben',
  resumed: (name) => `„${name}“ ist wieder aktiv.`,
  backups: 'Sicherungen',
  noBackups: 'Noch keine Sicherungen. Jede Nacht werden die Betriebe gesichert, die sich geändert haben.',
  backUp: 'Jetzt sichern',
  backedUp: 'Die Sicherung ist gespeichert.',
  rows: (count) => `${count} Zeilen`,
  download: 'Herunterladen',
  failing: 'Fehlerhafte Webhooks',
  failures: (count, time) => (count === 1 ? `1 Fehlversuch, ${time}` : `${count} Fehlversuche seit ${time}`),
  database: 'Datenbank',
  homes: { d1: 'Gemeinsame Datenbank', object: 'Eigene Datenbank' },
  moves: {
    copying: 'Umzug: Daten werden kopiert',
    fenced: 'Umzug: Änderungen warten',
    verifying: 'Umzug: Tabellen werden verglichen',
    done: 'umgezogen',
    failed: 'Umzug gescheitert, nichts hat sich geändert',
  },
  move: (home) => `Umziehen: ${home}`,
  moveText: 'Der Betrieb läuft weiter, während seine Daten kopiert werden. Am Ende warten Änderungen einen Moment.',
  startMove: 'Umziehen',
}

/** German texts of the operator's screen Operators. */
export const operators: Texts['operators'] = {
  create: 'Betreiber hinzufügen',
  email: 'E-Mail-Adresse',
  emailHint: 'Optional. Cloudflare Access meldet die Person mit dieser Adresse an, ohne Passkey.',
  roles:
    'Admin: alles. Support: liest Betriebe, ihre Nutzung und gestörte Webhooks und öffnet einen Betrieb für eine Stunde.',
  link: 'Neuer Link',
  linkFor: (name) => `Neuer Link für ${name}`,
  linkHint:
    'Schick der Person diesen Link. Er gilt einmal, 14 Tage lang, und wird nur jetzt gezeigt. Ein neuer Passkey ersetzt die früheren.',
  removeText:
    'Die Sitzungen enden mit der nächsten Anfrage, und die Passkeys werden gelöscht. Protokolle behalten den Namen.',
  none: 'Noch keine Betreiber. Wer das Token hat, darf alles.',
  keys: 'Plattformschlüssel',
  newKey: 'Neuer Plattformschlüssel',
  keyTitle: 'Zweck',
  keyScopes: 'Rechte',
  scopes: {
    'platform:merchants:read': 'Betriebe lesen, ohne ihre Daten',
    'platform:merchants:write': 'Betriebe anlegen, ändern, sperren und schließen',
    'platform:usage:read': 'Nutzung und Messwerte lesen',
  },
  keyHint: 'Kopiere den Schlüssel jetzt. Er wird nicht noch einmal gezeigt.',
  noKeys: 'Keine Plattformschlüssel. Programme wie die Abrechnung benutzen sie statt ADMIN_TOKEN.',
  tokenHint:
    'ADMIN_TOKEN ist für den ersten Start und für Notfälle. Protokolle nennen dann nur „Betreiber“, ohne Namen.',
}

/** German texts of an hour of support: for the operator, and for the venue. */
export const support: Texts['support'] = {
  open: 'Diesen Betrieb öffnen',
  title: (name) => `„${name}“ für eine Stunde öffnen`,
  start: 'Öffnen',
  reason: 'Grund',
  reasonHint: 'Zum Beispiel die Nummer einer Anfrage. Der Betrieb sieht ihn, mit deinem Namen.',
  read: 'Du siehst keine Gäste und keine Geheimnisse und änderst nichts: Der Betrieb lässt dich ansehen.',
  write:
    'Du siehst keine Gäste und keine Geheimnisse. Der Betrieb lässt dich Produkte, Karten und Ausverkauftes ändern.',
  off: 'Der Betrieb hat die Hilfe abgeschaltet.',
  onlyPersons: 'Melde dich als Person an, um diesen Betrieb zu öffnen: Er sieht, wer es war.',
  label: 'Hilfe',
  until: (time) => `Hilfe, bis ${time}`,
  end: 'Hilfe beenden',
  ended: 'Die Stunde der Hilfe ist vorbei.',
  by: (name) => `Hilfe: ${name}`,
}
