import { type Issue, unknownReference } from '../../../platform/errors.ts'
import { getTopField, type ParsedBody } from '../../../platform/http/validation.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { maxValueBytes } from '../../../platform/lib/encoding/value-size.ts'
import { getOwn, isObject } from '../../../platform/lib/schema-guard.ts'
import { isSameJson, merge } from '../merge-patch.ts'
import { listNamed } from './detail-references.ts'
import {
  type DetailFields,
  type DetailsContext,
  type DetailsDefinition,
  maxDetailBytes,
  maxLanguages,
  normalizeDetails,
  renameParts,
} from './details-definition.ts'

const utf8 = new TextEncoder()

/** Issues of names of parts and objects that do not exist. */
function* listReferenceIssues(
  { parts, references = [] }: DetailsDefinition,
  patch: DetailFields,
  { partIds, ...related }: DetailsContext,
): Iterable<Issue> {
  for (const { target, id, pointer } of listNamed(patch, references)) {
    if (!related[target].has(id)) yield { pointer, code: 'not_found', message: unknownReference }
  }
  if (!parts) return
  const { translations } = patch
  const texts = parts.areTranslated && isObject(translations) ? Object.entries(translations) : []
  const places = [
    ...parts.members.map((member) => ({ path: [member], named: patch[member] })),
    ...texts.map(([language, text]) => ({
      path: ['translations', language, parts.field],
      named: isObject(text) ? text[parts.field] : undefined,
    })),
  ]
  for (const { path, named } of places) {
    for (const [id, value] of isObject(named) ? Object.entries(named) : []) {
      if (partIds.has(id) || value === null) continue
      const message = `is not the id of ${parts.one} of this object`
      yield { pointer: toJsonPointer([...path, id]), code: 'not_found', message }
    }
  }
}

const countBytes = (value: unknown) => utf8.encode(JSON.stringify(value) ?? '').length

/** Issues of the size of details, at the member that grew most. */
function* listSizeIssues(after: DetailFields, before: DetailFields, maxBytes: number): Iterable<Issue> {
  const { translations } = after
  if (isObject(translations) && Object.keys(translations).length > maxLanguages) {
    yield { pointer: '/translations', code: 'too_many', message: `must have at most ${maxLanguages} languages` }
  }
  const text = JSON.stringify(after)
  if (text.length * 3 > maxBytes && utf8.encode(text).length > maxBytes) {
    const growth = Object.keys(after).map((field) => ({
      field,
      by: countBytes(after[field]) - countBytes(before[field]),
    }))
    const [most] = growth.toSorted((a, b) => b.by - a.by)
    const message = `must leave the details within ${maxBytes} bytes of JSON`
    yield { pointer: toJsonPointer([most?.field ?? '']), code: 'too_long', message }
  }
}

/** The values of an object's changed fields before a change; null for those without a value. */
export function listPrevious(before: object, after: object): DetailFields {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((key) => !isSameJson(was.get(key), is.get(key)))
  return Object.fromEntries(changed.map((key) => [key, was.get(key) ?? null]))
}

/** The old values for an event of details. Undefined if the event cannot hold both: its predecessor then has them. */
const fitPrevious = (previous: DetailFields, shown: object): DetailFields | undefined =>
  3 * (JSON.stringify(previous).length + JSON.stringify(shown).length) < maxValueBytes ||
  countBytes(previous) + countBytes(shown) < maxValueBytes - 10_000
    ? previous
    : undefined

/** Issues, except those of fields that are themselves invalid. */
function withoutInvalidFields(found: readonly Issue[], issues: readonly Issue[]): readonly Issue[] {
  const getField = (issue: Issue) => ('pointer' in issue ? getTopField(issue.pointer) : undefined)
  const invalidFields = new Set(issues.map(getField))
  return [...issues, ...found.filter((issue) => !invalidFields.has(getField(issue)))]
}

/** The translations that a change writes and removes. */
export function compareTranslations(before: DetailFields, after: DetailFields) {
  const [was, is] = [before, after].map(({ translations }) => (isObject(translations) ? translations : {}))
  const changed = Object.entries(is ?? {}).filter(([language, texts]) => !isSameJson(getOwn(was, language), texts))
  const removed = Object.keys(was ?? {}).filter((language) => !Object.hasOwn(is ?? {}, language))
  return { changed, removed }
}

/** Details before a change; see `readAllDetails`. */
interface DetailsBefore {
  stored: DetailFields
  kept: DetailFields
  context: DetailsContext
}

/** Merges a body into details, without I/O. `partIds` are the ids of stored parts by those by which the body names them. */
export function planDetails<View extends object>(
  definition: DetailsDefinition<View>,
  { stored: was, kept, context }: DetailsBefore,
  body: ParsedBody,
  partIds: ReadonlyMap<string, string>,
) {
  const { parts, complete = (patch) => patch, keep = (all) => all } = definition
  const patch = complete(renameParts(body.patch, parts, partIds), kept)
  // Values that no longer fit are removed only from the members in the request.
  const base = { ...was, ...Object.fromEntries(Object.keys(patch).map((field) => [field, kept[field]])) }
  const stored = normalizeDetails(merge(base, patch))
  const found = [
    ...listReferenceIssues(definition, patch, context),
    ...definition.check({ before: kept, after: stored, patch }, context),
    ...listSizeIssues(stored, was, definition.maxBytes ?? maxDetailBytes),
  ]
  const show = (details: DetailFields) => definition.view.parse(details)
  return {
    stored,
    /** Issues of valid fields. */
    found,
    /** All issues, those of the body included. */
    issues: withoutInvalidFields(found, body.issues),
    isSame: isSameJson(stored, was),
    /** The details after the change without what no longer fits, for which there must be no issue. */
    keep: () => normalizeDetails(keep(stored, context)),
    show: () => show(normalizeDetails(keep(stored, context))),
    /** The values of changed fields before the change, as responses show them; null for those without a value. Undefined: too large. */
    showPrevious() {
      const shown = show(normalizeDetails(keep(stored, context)))
      return fitPrevious(listPrevious(show(kept), shown), shown)
    },
  }
}
