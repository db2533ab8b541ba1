import { details } from './en/catalogue/details.ts'
import { dish, soldOutTexts } from './en/catalogue/dish.ts'
import { menus } from './en/catalogue/menus.ts'
import { modifiers } from './en/catalogue/modifiers.ts'
import { product } from './en/catalogue/product.ts'
import { coupons } from './en/coupons.ts'
import { customers } from './en/customers.ts'
import { history } from './en/history.ts'
import { operations } from './en/operations.ts'
import { person } from './en/person.ts'
import { release } from './en/release.ts'
import { settings } from './en/settings.ts'
import type { start } from './en/start.ts'
import { tables } from './en/tables.ts'
import { today } from './en/today.ts'
import { transfer } from './en/transfer.ts'
import { operators, support, venues } from './en/venues.ts'
import { webhooks } from './en/webhooks.ts'

const describeFailure = (detail: string) => `That did not work. ${detail}`

/** English texts of the screens. `ScreenTexts` ensures that every language has the same texts. */
export const texts = {
  screens: {
    today: 'Today',
    products: 'Products',
    menus: 'Menus',
    coupons: 'Coupons',
    customers: 'Customers',
    tables: 'Tables',
    modifiers: 'Modifiers',
    soldOut: 'Sold out',
    webhooks: 'Webhooks',
    transfer: 'Import and export',
    venues: 'Venues',
    operators: 'Operators',
    settings: 'Settings',
  },
  shortcuts: {
    search: 'Search',
    create: 'New object',
    help: 'Show this list',
    close: 'Close a dialog',
    open: (screen: string) => `Open ${screen}`,
    save: 'Save a price',
    restore: 'Restore a price',
    go: 'Find a screen, an object or an action',
    palette: 'Go to',
    screen: 'Screen',
    command: 'Action',
  },
  action: {
    copy: 'Copy',
    copied: 'Copied.',
    share: 'Share',
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    delete: 'Delete',
    undo: 'Undo',
    duplicate: 'Duplicate',
    add: 'Add',
    remove: 'Remove',
    moveUp: 'Move up',
    moveDown: 'Move down',
    clear: 'Clear selection',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    removeOf: (name: string) => `Remove ${name}`,
    dismiss: 'Dismiss',
  },
  conflict: {
    title: 'Changed at the same time',
    intro: (name: string) => `Somebody else has changed “${name}” since you opened it.`,
    field: 'Field',
    mine: 'Yours',
    theirs: 'Theirs',
    keepMine: 'Keep mine',
    useTheirs: 'Use theirs',
    empty: 'empty',
  },
  finder: {
    find: 'Find a product',
    nothing: 'Nothing found.',
  },
  object: {
    saved: (title: string) => `“${title}” is saved.`,
    created: (title: string) => `“${title}” is created.`,
    deleted: (title: string) => `“${title}” is deleted.`,
    restored: (title: string) => `“${title}” is back.`,
    undone: 'Undone.',
    confirmDelete: (title: string) => `Delete “${title}”?`,
    unsaved: 'Discard your changes?',
    unsavedHint: 'Your changes are not saved.',
    discard: 'Discard',
    keepEditing: 'Keep editing',
    draft: 'Your unsaved changes are back.',
    copyOf: (title: string) => `${title} (copy)`,
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
  /** By the code of a problem. */
  rejection: {
    conflict: describeFailure,
    too_many: describeFailure,
    quota_exceeded: describeFailure,
    body_too_large: () => 'This file is too large: a picture has at most 8 MB, a file to import 10 MB.',
    unsupported_media_type: () =>
      'This is not a picture in JPEG, PNG, WebP or AVIF. Save it as JPEG and choose that file.',
    malformed_body: describeFailure,
    not_supported: describeFailure,
    gone: describeFailure,
  },
  /** By the message of an issue, with `#` instead of its number. */
  remedy: {
    'must be at least #': (limit: string) => `Enter at least ${limit}.`,
    'must be at most #': (limit: string) => `Enter at most ${limit}.`,
    'must be at most # for PERCENTAGE': (limit: string) => `Enter at most ${limit}.`,
    'must be more than #': (limit: string) => `Enter more than ${limit}.`,
    'must have at most # characters': (limit: string) => `Enter at most ${limit} characters.`,
    'must have at most # decimals': (limit: string) => `Use at most ${limit} decimal places.`,
    'must have at most # elements': (limit: string) => `No more than ${limit} are possible.`,
    'must be in the future': () => 'Choose a time in the future.',
    'must be a time in seconds since #-01-01 UTC': () => 'Choose a year up to 9999.',
    'must be an integer': () => 'Enter a whole number.',
    'must be an email address': () => 'Enter an email address such as name@example.com.',
    'must be an http or https address': () => 'Enter an address that begins with https://.',
    'must have a host that the merchant allows': () => 'Have this site allowed in Settings first.',
    'must consist of digits, spaces, + - ( ) . and an extension after x': () =>
      'Enter digits, spaces and + - ( ), for example +44 20 7946 0000.',
    'must be a number in plain decimals': () => 'Enter a number such as 12.50, without a currency.',
    'must be a number': () => 'Enter a number such as 12.50.',
    'must be one number: give each size a row of its own, with its name in a column "size"': () =>
      'Give each size a row of its own, with its name in a column "Size".',
    'must be yes or no': () => 'Enter yes or no.',
    'has no price': () => 'Enter a price.',
    'was changed by a spreadsheet; format the column as text there, enter the value again, and save the file': () =>
      'A spreadsheet changed this. Format the column as text there, enter the value again, and save the file.',
  },
  issue: {
    required: 'Fill this in.',
    invalid_format: 'This is not written as expected.',
    invalid_value: 'This value is not possible.',
    invalid_type: 'This is not written as expected.',
    too_short: 'This is too short.',
    too_long: 'This is too long.',
    too_small: 'This is too small.',
    too_large: 'This is too large.',
    too_precise: 'This has too many decimal places.',
    too_many: 'These are too many.',
    duplicate: 'This exists already.',
    unknown_field: 'This column or field does not exist.',
    not_found: 'This does not exist.',
    ambiguous: 'This can mean several things.',
    conflict: 'This does not fit what exists.',
    damaged_by_spreadsheet: 'A spreadsheet changed this value.',
    other_currency: 'This is in another currency than the venue uses.',
    contradicts: 'This contradicts the allergens or the alcohol.',
    invalid_character: 'This is not text in UTF-8.',
    notANumber: 'Enter a number.',
    severalPrices: 'Enter one price. Several prices are sizes.',
    notAPrice: 'Enter a number such as 12.50, without a separator for thousands.',
    notAWholeNumber: 'Enter a whole number, in digits only.',
    endsBeforeStart: 'This must be after the start.',
    '/image invalid_format':
      'This picture is damaged or incomplete. Choose another file, or open it and save it again as JPEG.',
    '/image too_large': 'This picture has more than 40 megapixels. Save it smaller and choose that file.',
    '/images too_many': 'The maximum number of pictures is reached. Remove one first.',
  },
}

/** The shape of a language: the same keys, any text. */
type Shape<Value> = Value extends string
  ? string
  : Value extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { [Key in keyof Value]: Shape<Value[Key]> }
export type ScreenTexts = Shape<typeof texts>
export type StartTexts = Shape<typeof start>
export type Texts = StartTexts & ScreenTexts
