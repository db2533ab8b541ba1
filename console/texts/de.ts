import { details } from './de/catalogue/details.ts'
import { dish, soldOutTexts } from './de/catalogue/dish.ts'
import { menus } from './de/catalogue/menus.ts'
import { modifiers } from './de/catalogue/modifiers.ts'
import { product } from './de/catalogue/product.ts'
import { coupons } from './de/coupons.ts'
import { customers } from './de/customers.ts'
import { history } from './de/history.ts'
import { operations } from './de/operations.ts'
import { person } from './de/person.ts'
import { release } from './de/release.ts'
import { settings } from './de/settings.ts'
import { tables } from './de/tables.ts'
import { today } from './de/today.ts'
import { transfer } from './de/transfer.ts'
import { operators, support, venues } from './de/venues.ts'
import { webhooks } from './de/webhooks.ts'
import type { ScreenTexts } from './en.ts'

/** German texts of the screens. */
export const texts: ScreenTexts = {
  screens: {
    today: 'Heute',
    products: 'Produkte',
    menus: 'Speisekarten',
    coupons: 'Gutscheine',
    customers: 'Kunden',
    tables: 'Tische',
    modifiers: 'Optionen',
    soldOut: 'Ausverkauft',
    webhooks: 'Webhooks',
    transfer: 'Import und Export',
    venues: 'Betriebe',
    operators: 'Betreiber',
    settings: 'Einstellungen',
  },
  shortcuts: {
    search: 'Suchen',
    create: 'Neu anlegen',
    help: 'Diese Liste zeigen',
    close: 'Dialog schließen',
    open: (screen) => `${screen} öffnen`,
    save: 'Preis speichern',
    restore: 'Preis zurücksetzen',
    go: 'Seite, Eintrag oder Aktion finden',
    palette: 'Gehe zu',
    screen: 'Seite',
    command: 'Aktion',
  },
  action: {
    copy: 'Kopieren',
    copied: 'Kopiert.',
    share: 'Teilen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    delete: 'Löschen',
    undo: 'Rückgängig',
    duplicate: 'Duplizieren',
    add: 'Hinzufügen',
    remove: 'Entfernen',
    moveUp: 'Nach oben',
    moveDown: 'Nach unten',
    clear: 'Auswahl aufheben',
    up: (name) => `${name} nach oben`,
    down: (name) => `${name} nach unten`,
    removeOf: (name) => `${name} entfernen`,
    dismiss: 'Ausblenden',
  },
  conflict: {
    title: 'Gleichzeitig geändert',
    intro: (name) => `Jemand anders hat „${name}“ geändert, seit du es geöffnet hast.`,
    field: 'Feld',
    mine: 'Deins',
    theirs: 'Das andere',
    keepMine: 'Meins behalten',
    useTheirs: 'Das andere nehmen',
    empty: 'leer',
  },
  finder: {
    find: 'Produkt suchen',
    nothing: 'Nichts gefunden.',
  },
  object: {
    saved: (title) => `„${title}“ ist gespeichert.`,
    created: (title) => `„${title}“ ist angelegt.`,
    deleted: (title) => `„${title}“ ist gelöscht.`,
    restored: (title) => `„${title}“ ist wieder da.`,
    undone: 'Rückgängig gemacht.',
    confirmDelete: (title) => `„${title}“ löschen?`,
    unsaved: 'Änderungen verwerfen?',
    unsavedHint: 'Was du eingegeben hast, ist nicht gespeichert.',
    discard: 'Verwerfen',
    keepEditing: 'Weiter bearbeiten',
    draft: 'Was du zuvor getippt hast, ist wieder da.',
    copyOf: (title) => `${title} (Kopie)`,
  },
  product,
  today,
  details,
  dish,
  modifiers,
  menus,
  coupons,
  customers,
  history,
  release,
  soldOut: soldOutTexts,
  operations,
  person,
  settings,
  tables,
  transfer,
  operators,
  support,
  venues,
  webhooks,
  rejection: {
    conflict: () => 'Das geht nicht: Es passt nicht zu dem, was gespeichert ist.',
    too_many: () => 'Das geht nicht: Die Höchstzahl ist erreicht.',
    quota_exceeded: () => 'Das geht nicht: Der Speicher des Betriebs ist voll.',
    body_too_large: () => 'Diese Datei ist zu groß: Ein Bild hat höchstens 8 MB, eine Datei zum Importieren 10 MB.',
    unsupported_media_type: () =>
      'Das ist kein Bild in JPEG, PNG, WebP oder AVIF. Speichere es als JPEG und wähle diese Datei.',
    malformed_body: () => 'Das geht nicht: Der Inhalt ist nicht lesbar.',
    not_supported: () => 'Das geht hier nicht: Der Dienst ist nicht dafür eingerichtet.',
    gone: () => 'Das gibt es nicht mehr.',
  },
  remedy: {
    'must be at least #': (limit: string) => `Gib mindestens ${limit} ein.`,
    'must be at most #': (limit: string) => `Gib höchstens ${limit} ein.`,
    'must be at most # for PERCENTAGE': (limit: string) => `Gib höchstens ${limit} ein.`,
    'must be more than #': (limit: string) => `Gib mehr als ${limit} ein.`,
    'must have at most # characters': (limit: string) => `Gib höchstens ${limit} Zeichen ein.`,
    'must have at most # decimals': (limit: string) => `Gib höchstens ${limit} Nachkommastellen ein.`,
    'must have at most # elements': (limit: string) => `Mehr als ${limit} gehen nicht.`,
    'must be in the future': () => 'Wähle einen Zeitpunkt in der Zukunft.',
    'must be an integer': () => 'Gib eine ganze Zahl ein.',
    'must be an email address': () => 'Gib eine E-Mail-Adresse wie name@example.com ein.',
    'must be an http or https address': () => 'Gib eine Adresse ein, die mit https:// beginnt.',
    'must have a host that the merchant allows': () => 'Erlaube diese Seite zuerst in den Einstellungen.',
    'must consist of digits, spaces, + - ( ) . and an extension after x': () =>
      'Gib Ziffern, Leerzeichen und + - ( ) ein, zum Beispiel +49 30 1234567.',
    'must be a number in plain decimals': () => 'Gib eine Zahl wie 12,50 ein, ohne Währung.',
    'must be a number': () => 'Gib eine Zahl wie 12,50 ein.',
    'must be one number: give each size a row of its own, with its name in a column "size"': () =>
      'Gib jeder Größe eine eigene Zeile, mit ihrem Namen in einer Spalte „Größe“.',
    'must be yes or no': () => 'Gib Ja oder Nein ein.',
    'has no price': () => 'Gib einen Preis ein.',
    'was changed by a spreadsheet; format the column as text there, enter the value again, and save the file': () =>
      'Eine Tabellenkalkulation hat das verändert. Formatiere dort die Spalte als Text, gib den Wert neu ein und speichere die Datei.',
  },
  issue: {
    required: 'Fülle das aus.',
    invalid_format: 'Das ist anders geschrieben als erwartet.',
    invalid_value: 'Dieser Wert ist nicht möglich.',
    invalid_type: 'Das ist anders geschrieben als erwartet.',
    too_short: 'Das ist zu kurz.',
    too_long: 'Das ist zu lang.',
    too_small: 'Das ist zu klein.',
    too_large: 'Das ist zu groß.',
    too_precise: 'Das hat zu viele Nachkommastellen.',
    too_many: 'Das sind zu viele.',
    duplicate: 'Das gibt es schon.',
    unknown_field: 'Diese Spalte oder dieses Feld gibt es nicht.',
    not_found: 'Das gibt es nicht.',
    ambiguous: 'Das passt auf mehrere Objekte.',
    conflict: 'Das passt nicht zu dem, was es schon gibt.',
    damaged_by_spreadsheet: 'Eine Tabellenkalkulation hat diesen Wert verändert.',
    other_currency: 'Das ist in einer anderen Währung als der des Lokals.',
    contradicts: 'Das widerspricht den Allergenen oder dem Alkohol.',
    invalid_character: 'Das ist kein Text in UTF-8.',
    notANumber: 'Gib eine Zahl ein.',
    severalPrices: 'Gib einen Preis ein. Für mehrere gibt es Größen.',
    notAPrice: 'Gib eine Zahl wie 12,50 ein, ohne Trennzeichen für Tausender.',
    notAWholeNumber: 'Gib eine ganze Zahl ein, nur mit Ziffern.',
    endsBeforeStart: 'Das muss nach dem Beginn sein.',
    '/image invalid_format':
      'Dieses Bild ist beschädigt oder unvollständig. Wähle eine andere Datei, oder öffne es und speichere es neu als JPEG.',
    '/image too_large': 'Dieses Bild hat mehr als 40 Megapixel. Speichere es kleiner und wähle diese Datei.',
    '/images too_many': 'Mehr Bilder gehen nicht. Entferne zuerst eines.',
  },
}
