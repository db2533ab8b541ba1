import { ApiError } from '../../../platform/errors.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { FileContent } from '../items/file-item.ts'
import { unsupported } from '../kind.ts'
import { countKnownHeadings } from '../table/headings.ts'
import { findKeyedDishes } from './keyed-sections.ts'
import { findItems, hasItemsById, isNestedMenu, readNestedMenu } from './nested-menu.ts'
import { isSchemaOrg, readSchemaOrg } from './schema-org.ts'
import { isSquareCatalogue, readSquare } from './square.ts'
import { isUberMenu, readUber } from './uber.ts'

/** Maximum size of one JSON document, in UTF-16 units. */
export const maxDocumentUnits = 4 * 1024 * 1024

/** Documents of which one text is the whole file. */
const readers = {
  square_catalogue: { is: isSquareCatalogue, read: readSquare },
  uber_menu: { is: isUberMenu, read: readUber },
  schema_org: { is: isSchemaOrg, read: readSchemaOrg },
  nested_menu: { is: isNestedMenu, read: readNestedMenu },
} as const
const documentKinds = [
  'square_catalogue',
  'uber_menu',
  'schema_org',
  'nested_menu',
] as const satisfies (keyof typeof readers)[]
type DocumentKind = (typeof documentKinds)[number]

/** Whether the first two lines that are not blank start like objects, and the first one ends like one. */
function areLines(text: string): boolean {
  const start = text.trimStart()
  const end = start.indexOf('\n')
  const first = start.slice(0, Math.max(0, end)).trimEnd()
  return first.startsWith('{') && first.endsWith('}') && start.slice(end).trimStart().startsWith('{')
}

/** Whether an object has no lists or objects in it, but a member with a known heading. */
const isFlat = (object: Readonly<Record<string, unknown>>) =>
  Object.values(object).every((value) => typeof value !== 'object' || value === null) &&
  countKnownHeadings(Object.keys(object)) > 0

/** A JSON document: of a known kind, or a list of objects. Undefined: the text is not one document. */
export function parseDocument(
  text: string,
  isOwn: (document: unknown) => document is Readonly<Record<string, unknown>>,
):
  | { kind: DocumentKind; document: unknown }
  | { kind: 'json'; objects: Readonly<Record<string, unknown>>[] }
  | { kind: 'own'; document: Readonly<Record<string, unknown>> }
  | undefined {
  // Lines of JSON are read line by line.
  if (areLines(text)) return undefined
  if (text.length > maxDocumentUnits) {
    throw new ApiError(
      'body_too_large',
      `A JSON document has at most ${maxDocumentUnits.toLocaleString('en')} characters.`,
    )
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  const kind = documentKinds.find((name) => name !== 'nested_menu' && readers[name].is(document))
  if (kind) return { kind, document }
  if (isOwn(document)) return { kind: 'own', document }
  if (isNestedMenu(document)) return { kind: 'nested_menu', document }
  // One line of JSON Lines, whose lists are its own.
  if (isObject(document) && ('resource' in document || isFlat(document))) return { kind: 'json', objects: [document] }
  const listed = hasItemsById(document) ? undefined : (findItems(document) ?? findKeyedDishes(document))
  if (listed) return { kind: 'json', objects: listed }
  const lists = isObject(document) ? Object.values(document).filter(Array.isArray) : [document]
  const objects = lists.length === 1 ? [lists[0]].flat().filter(isObject) : []
  if (objects.length > 0 && Array.isArray(lists[0]) && !hasItemsById(document)) return { kind: 'json', objects }
  throw unsupported('is JSON of an unknown kind. Send a list of objects, JSON Lines, or a table')
}

/** Contents of a document. */
export const readDocument = (kind: DocumentKind, document: unknown, currency: string | undefined): FileContent =>
  readers[kind].read(document, currency)
