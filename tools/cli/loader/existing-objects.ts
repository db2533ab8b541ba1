import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import type { ApiObject } from './api-connection.ts'
import type { CatalogueRow, ListName } from './catalogue-file.ts'
import { getListRules, type ListRules, swapReferences } from './list-rules.ts'

/** JSON with sorted keys and without ids that the service created. */
const canonical = (value: CatalogueRow, isRegistered: (id: unknown) => boolean) =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'id' && !isRegistered(inner)) return undefined
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner
  })

/** Yields every `id` inside a value. */
function* idsIn(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return
  if ('id' in value) yield value.id
  for (const inner of Object.values(value)) yield* idsIn(inner)
}

/**
 * Compares objects by all fields that a file can contain, except counters of the service. References are compared by the content of their target, not
 * by its id: a product may refer to either of two equal modifiers.
 */
export class Contents {
  readonly #labels = new Map<string, string>()
  readonly #labelOf = new Map<string, string>()
  readonly #registeredIds = new Set<unknown>()

  #named(kind: ListRules, object: CatalogueRow): CatalogueRow {
    return swapReferences(kind, object, (id) => [typeof id === 'string' ? (this.#labelOf.get(id) ?? id) : id])
  }

  #label(list: ListName, content: string): string {
    const key = `${list} ${content}`
    const label = this.#labels.get(key) ?? `#${this.#labels.size}`
    this.#labels.set(key, label)
    return label
  }

  /** Registers ids that a file sets inside an object. Only registered ids are compared. */
  keepIds(object: CatalogueRow) {
    for (const id of idsIn(object)) this.#registeredIds.add(id)
  }

  /** The label of an object before it is created; equal objects have the same label. */
  labelDraft(list: ListName, draft: CatalogueRow): string {
    const kind = getListRules(list)
    return this.#label(
      list,
      canonical(this.#named(kind, kind.maskCounted(draft)), (id) => this.#registeredIds.has(id)),
    )
  }

  /** The label of an object that the service returned. */
  labelStored(list: ListName, stored: ApiObject): string {
    const kind = getListRules(list)
    const own = Object.fromEntries(
      Object.entries(stored).filter(([key]) => key !== 'externalId' && !kind.readOnly.has(key)),
    )
    const label = this.labelDraft(list, own)
    this.remember(stored.id, label)
    return label
  }

  /** From now on, references to this object are compared by its label. */
  remember(id: string, label: string) {
    this.#labelOf.set(id, label)
  }
}
