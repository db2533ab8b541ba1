import type { ApiObject } from './api-connection.ts'
import type { CatalogueRow, ListName } from './catalogue-file.ts'
import { isRecord, type ListRules, listRules, swapReferences } from './list-rules.ts'

/** JSON in which neither the order of keys counts nor an `id` that the service made. */
const canonical = (value: CatalogueRow, isGiven: (id: unknown) => boolean) =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'id' && !isGiven(inner)) return undefined
    return isRecord(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner
  })

/** Every `id` inside a value. */
function* idsIn(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return
  if ('id' in value) yield value.id
  for (const inner of Object.values(value)) yield* idsIn(inner)
}

/**
 * Tells which objects are equal in all that a file can say about them. What an object names counts by its content too, not by
 * its id: of two equal modifiers it does not matter which one a product has.
 */
export class Contents {
  readonly #labels = new Map<string, string>()
  readonly #labelOf = new Map<string, string>()
  readonly #givenIds = new Set<unknown>()

  #named(kind: ListRules, object: CatalogueRow): CatalogueRow {
    return swapReferences(kind, object, (id) => [typeof id === 'string' ? (this.#labelOf.get(id) ?? id) : id])
  }

  #label(list: ListName, content: string): string {
    const key = `${list} ${content}`
    const label = this.#labels.get(key) ?? `#${this.#labels.size}`
    this.#labels.set(key, label)
    return label
  }

  /** An `id` that a file gives to a part of an object counts; those the service makes do not. */
  keepIds(object: CatalogueRow) {
    for (const id of idsIn(object)) this.#givenIds.add(id)
  }

  /** The label of what would be stored; equal objects have the same. */
  labelDraft(list: ListName, draft: CatalogueRow): string {
    return this.#label(
      list,
      canonical(this.#named(listRules[list], draft), (id) => this.#givenIds.has(id)),
    )
  }

  /** The label of an object that the service has. */
  labelStored(list: ListName, stored: ApiObject): string {
    const kind = listRules[list]
    const own = Object.fromEntries(Object.entries(stored).filter(([key]) => !kind.readOnly.has(key)))
    const label = this.labelDraft(list, own)
    this.remember(stored.id, label)
    return label
  }

  /** From here on, whoever names this object names its content. */
  remember(id: string, label: string) {
    this.#labelOf.set(id, label)
  }
}
