import type { Texts } from '../en.ts'

/** German texts of the screen Today. */
export const today: Texts['today'] = {
  menus: 'Speisekarten',
  openNow: 'Jetzt',
  nothingOpen: 'Gerade gibt es nichts.',
  noMenus: 'Es gibt keine Karten, die Gäste sehen.',
  nextChange: (time) => `Nächste Änderung: ${time}`,
  next: (title, time) => `${title}, ab ${time}`,
  later: 'Später',
  scans: 'Scans',
  scansToday: 'heute',
  scansInDays: (days) => `in den letzten ${days} Tagen`,
  scansOn: (day, count) => `${day}: ${count}`,
  noScans: (days) => `In den letzten ${days} Tagen hat niemand einen Tisch gescannt.`,
  webhooks: 'Webhooks',
  allWell: 'Alle Webhooks funktionieren.',
  noWebhooks: 'Es gibt keine Webhooks.',
  failing: 'Zustellungen schlagen gerade fehl.',
  disabled: 'Der Dienst hat ihn abgeschaltet.',
  soldOut: 'Ausverkauft',
  nothingSold: 'Alles ist verfügbar.',
  more: (count) => `und ${count} weitere`,
  changes: 'Letzte Änderungen',
  noChanges: 'In den letzten 90 Tagen hat sich nichts geändert.',
}
