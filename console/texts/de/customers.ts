import type { Texts } from '../en.ts'

/** German texts of the screen Customers. */
export const customers: Texts['customers'] = {
  search: 'Kunden suchen',
  create: 'Neuer Kunde',
  edit: 'Kunde bearbeiten',
  count: (count) => (count === 1 ? '1 Kunde' : `${count} Kunden`),
  none: 'Noch keine Kunden',
  noneHint: 'Kunden sind Personen, die bestellen. So können Gutscheine zählen, wie oft jemand sie nutzt.',
  notFound: 'Kein Kunde passt.',
  deleteHint:
    'Einlösungen und Ereignisse mit diesem Kunden bleiben. Um die Person überall zu entfernen, wähle „Personendaten löschen“.',
  name: 'Name',
  firstName: 'Vorname',
  lastName: 'Nachname',
  email: 'E-Mail',
  phone: 'Telefon',
  personalData: 'Personenbezogene Daten',
  personalDataHint:
    'Exportieren speichert alles, was über die Person gespeichert ist, als Datei. Löschen entfernt die Person überall.',
  export: 'Exportieren',
  exported: (name) => `Alles über „${name}“ ist als Datei gespeichert.`,
  erase: 'Personendaten löschen',
  confirmErase: (name) => `Alle Daten von „${name}“ löschen?`,
  confirmEraseHint:
    'Der Kunde wird gelöscht, und die Person wird aus Einlösungen, Ereignissen und Zustellungen entfernt. Das lässt sich nicht rückgängig machen.',
  erased: (name) => `Alle Daten von „${name}“ sind gelöscht.`,
}
