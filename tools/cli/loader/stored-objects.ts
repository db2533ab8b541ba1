import { limits } from '../../../src/platform/http/fields.ts'
import type { ApiObject } from './api-connection.ts'
import type { ListName } from './catalogue-file.ts'
import type { Contents } from './existing-objects.ts'
import { getTitle, type LoadingRow } from './rows.ts'

/** Maximum number of characters of a title in a key. Leaves room for a number. */
const maxTitleLength = 120

/**
 * Gives each row without an external id one that is derived from its title, so that an update finds its object again. Rows with the
 * same title are numbered in the order of the file.
 */
export function deriveExternalIds(rows: readonly LoadingRow[]) {
  const taken = new Set(rows.map(({ externalId }) => externalId))
  for (const row of rows) {
    if (row.externalId !== undefined) continue
    const title = row.title.replace(/\p{Cc}/gu, ' ').trim()
    const base = [...title].slice(0, maxTitleLength).join('').trim() || row.place
    let key = base === '.' || base === '..' ? row.place : base
    for (let number = 2; taken.has(key); number++) key = `${base} #${number}`.slice(-limits.externalId)
    taken.add(key)
    row.externalId = key
  }
}

function append(groups: Map<string, ApiObject[]>, key: string, stored: ApiObject) {
  const group = groups.get(key)
  if (group) group.push(stored)
  else groups.set(key, [stored])
}

/** The merchant's objects of one list that no row has taken yet. */
export class StoredObjects {
  readonly #contents: Contents
  readonly #list: ListName
  readonly #byExternalId = new Map<string, ApiObject>()
  readonly #byLabel = new Map<string, ApiObject[]>()
  readonly #byTitle = new Map<string, ApiObject[]>()
  /** Labels of the objects that no row has taken. */
  readonly #labels = new Map<ApiObject, string>()

  constructor(list: ListName, contents: Contents) {
    this.#list = list
    this.#contents = contents
  }

  add(stored: ApiObject) {
    const label = this.#contents.labelStored(this.#list, stored)
    this.#labels.set(stored, label)
    if (stored.externalId !== undefined) this.#byExternalId.set(stored.externalId, stored)
    append(this.#byLabel, label, stored)
    append(this.#byTitle, getTitle(stored), stored)
  }

  #take(stored: ApiObject | undefined): ApiObject | undefined {
    if (!stored || !this.#labels.has(stored)) return undefined
    this.#labels.delete(stored)
    return stored
  }

  /** The object with the row's external id, and whether it equals the row. */
  takeByExternalId({ externalId = '', draft }: LoadingRow) {
    const stored = this.#byExternalId.get(externalId)
    const isEqual =
      stored !== undefined &&
      draft !== undefined &&
      this.#labels.get(stored) === this.#contents.labelDraft(this.#list, draft)
    return { stored: this.#take(stored), isEqual }
  }

  /** An object that equals the row; with `isFree` one without an external id. */
  takeEqual({ draft }: LoadingRow, isFree: boolean): ApiObject | undefined {
    if (!draft) return undefined
    const equal = this.#byLabel.get(this.#contents.labelDraft(this.#list, draft)) ?? []
    return this.#take(equal.find((stored) => this.#labels.has(stored) && !(isFree && stored.externalId !== undefined)))
  }

  /** The object with the row's title and without an external id, if it is the only one. */
  takeByTitle({ title }: LoadingRow): ApiObject | undefined {
    const titled = (title && this.#byTitle.get(title)) || []
    const same = titled.filter((stored) => stored.externalId === undefined && this.#labels.has(stored))
    return same.length === 1 ? this.#take(same[0]) : undefined
  }
}
