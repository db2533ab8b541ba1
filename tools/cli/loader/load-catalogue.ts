import { setTimeout } from 'node:timers/promises'
import { ApiConnection, type ApiObject, ApiRejection, type MerchantAccount, Unavailable } from './api-connection.ts'
import { type CatalogueFile, type ListName, lists } from './catalogue-file.ts'
import { Contents } from './existing-objects.ts'
import { getListRules } from './list-rules.ts'
import { resolvePictures } from './pictures.ts'
import { type LoadingRow, prepareRow } from './rows.ts'
import { deriveExternalIds, StoredObjects } from './stored-objects.ts'

export interface LoadOptions extends MerchantAccount {
  catalogue: CatalogueFile
  /** Updates the objects of rows that changed. */
  update?: boolean
  /** Stops the load after the open requests. */
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export interface Progress {
  list: ListName
  done: number
  total: number
  /** Reason why the load is waiting. */
  problem?: string | undefined
}

/** The rows of one list and their outcomes. */
export interface LoadedList {
  list: ListName
  rows: readonly LoadingRow[]
}

export interface LoadResult {
  lists: readonly LoadedList[]
  /** Reason why some rows were not tried; undefined if all were tried. */
  stopped?: string | undefined
}

/** Maximum number of concurrent requests. */
const concurrency = 8
/** Pause after a failure, in milliseconds; doubles with each consecutive failure. */
const firstPauseMs = 500
/** Consecutive attempts without progress after which the load stops. */
const maxFruitlessAttempts = 6
const interrupted = 'The load was interrupted.'

interface Session {
  connection: ApiConnection
  contents: Contents
  update: boolean
  signal: AbortSignal
  report(progress: Progress): void
}

/**
 * Loads a catalogue into a merchant. Compares the rows with the merchant's objects and creates the missing ones, so that an
 * interrupted load can be started again.
 */
export async function loadCatalogue({
  catalogue,
  update = false,
  signal,
  onProgress,
  ...account
}: LoadOptions): Promise<LoadResult> {
  const session: Session = {
    connection: new ApiConnection(account),
    contents: new Contents(),
    update,
    signal: signal ?? new AbortController().signal,
    report: onProgress ?? (() => {}),
  }
  const testMode = account.key.startsWith('sk_test_')
  const resolved = resolvePictures(catalogue, account.url)
  const loaded = new Map<ListName, readonly LoadingRow[]>()
  let stopped: string | undefined
  for (const list of lists) {
    const source = resolved[list] ?? []
    if (source.length === 0) continue
    if (session.signal.aborted) {
      stopped = interrupted
      break
    }
    const targets = loaded.get(getListRules(list).references?.to ?? list) ?? []
    const rows = source.map((row, index) => prepareRow(list, index, row, targets, testMode))
    if (update) deriveExternalIds(rows)
    loaded.set(list, rows)
    stopped = await loadList(session, list, rows)
    if (stopped !== undefined) break
  }
  return { lists: Array.from(loaded, ([list, rows]) => ({ list, rows })), stopped }
}

const isOpen = (row: LoadingRow) => row.outcome === undefined

/** Loads the rows of one list and retries temporary failures. Returns why it stopped; undefined if all rows were tried. */
async function loadList(session: Session, list: ListName, rows: readonly LoadingRow[]): Promise<string | undefined> {
  const { connection, contents, signal, report } = session
  for (const { draft } of rows) if (draft) contents.keepIds(draft)
  let isMatched = false
  let open = rows.filter(isOpen).length
  for (let fruitless = 0; !signal.aborted; ) {
    const before = open
    let failure: unknown
    try {
      if (!isMatched) await match(session, list, rows)
      isMatched = true
      await storeMissing(session, list, rows)
    } catch (error) {
      failure = error
    }
    open = rows.filter(isOpen).length
    if (open === 0) return undefined
    if (failure instanceof ApiRejection) return `The service rejected the list of ${list}: ${failure.message}`
    if (!failure) continue
    if (!(failure instanceof Unavailable)) throw failure

    fruitless = open < before ? 0 : fruitless + 1
    if (fruitless >= maxFruitlessAttempts || !connection.hasResponded) return `${failure.message}.`
    // Reading the list again shows whether a request without a response was processed.
    isMatched &&= !rows.some((row) => isOpen(row) && row.isUncertain)
    const pauseMs = Math.max(failure.retryAfterMs, firstPauseMs * 2 ** fruitless)
    const problem = `${failure.message}; retrying in ${Math.ceil(pauseMs / 1000)} s`
    report({ list, done: rows.length - open, total: rows.length, problem })
    await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
  return interrupted
}

/** Assigns existing objects to rows, each object to at most one row. */
async function match({ connection, contents, signal, update }: Session, list: ListName, rows: readonly LoadingRow[]) {
  const taken = new Set(rows.map(({ id }) => id))
  const objects = new StoredObjects(list, contents)
  for await (const page of connection.list(list)) {
    for (const stored of page) if (!taken.has(stored.id)) objects.add(stored)
    if (signal.aborted) return
  }
  const settle = (row: LoadingRow, stored: ApiObject, isEqual: boolean) => {
    if (isEqual) row.outcome = row.isUncertain ? 'created' : 'existing'
    if (isEqual) row.id = stored.id
    else row.stored = stored
  }
  // Rows with the most certain match choose first.
  for (const row of rows.filter(isOpen)) {
    const { stored, isEqual } = objects.takeByExternalId(row)
    if (stored) settle(row, stored, isEqual)
  }
  const isUnmatched = (row: LoadingRow) => isOpen(row) && row.stored === undefined
  for (const row of rows.filter(isUnmatched)) {
    const stored = objects.takeEqual(row, update)
    // An update gives the object its external id.
    if (stored) settle(row, stored, !update)
  }
  for (const row of update ? rows.filter(isUnmatched) : []) {
    const stored = objects.takeByTitle(row)
    if (stored) settle(row, stored, false)
  }
  for (const row of rows.filter(isOpen)) row.isUncertain = false
}

/** Creates the object of a row, or updates it. */
async function store({ connection, update }: Session, list: ListName, row: LoadingRow) {
  const { externalId, stored } = row
  const body = stored ? getListRules(list).withoutCounted(row.body, stored) : row.body
  if (externalId === undefined) {
    row.id = (await connection.create(list, body)).id
    row.outcome = 'created'
    return
  }
  if (stored && stored.externalId === undefined) await connection.setExternalId(list, stored.id, externalId)
  const result = await connection.upsert(list, externalId, body, !update)
  const isUnchanged = stored?.externalId !== undefined && result['updatedAt'] === stored['updatedAt']
  row.id = result.id
  row.outcome = stored ? (isUnchanged ? 'existing' : 'updated') : 'created'
}

/** Stores the open rows. Starts no further request after a failure, and throws it. */
async function storeMissing(session: Session, list: ListName, rows: readonly LoadingRow[]) {
  const { contents, signal, report } = session
  const missing = rows.filter(isOpen)
  const queue = missing.values()
  let done = rows.length - missing.length
  let failure: unknown

  async function tryRow(row: LoadingRow) {
    try {
      await store(session, list, row)
      if (row.draft && row.id !== undefined) contents.remember(row.id, contents.labelDraft(list, row.draft))
    } catch (error) {
      if (error instanceof Unavailable) row.isUncertain ||= !error.isOutcomeKnown
      if (!(error instanceof ApiRejection) || error.status === 401) throw error
      row.outcome = 'rejected'
      row.reasons = error.status === 412 ? ['an object has this external id; --update changes it'] : error.reasons
    }
    report({ list, done: ++done, total: rows.length })
  }

  async function work() {
    for (const row of queue) {
      if (failure || signal.aborted) return
      await tryRow(row).catch((error: unknown) => {
        failure = error
      })
    }
  }

  report({ list, done, total: rows.length })
  await Promise.all(Array.from({ length: getListRules(list).isUnique ? 1 : concurrency }, work))
  if (failure) throw failure
}
