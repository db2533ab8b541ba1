import { setTimeout } from 'node:timers/promises'
import { type Account, ApiRejection, Connection, Unavailable } from './api-connection.ts'
import { type Catalogue, type ListName, lists } from './catalogue-file.ts'
import { Contents } from './existing-objects.ts'
import { getListRules } from './list-rules.ts'
import { type LoadingRow, prepareRow } from './rows.ts'

export interface LoadOptions extends Account {
  catalogue: Catalogue
  /** Stops the load after the open requests. */
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

export interface Progress {
  list: ListName
  done: number
  total: number
  /** Why the load is waiting. */
  problem?: string | undefined
}

/** The rows of one list and their outcomes. */
export interface LoadedList {
  list: ListName
  rows: readonly LoadingRow[]
}

export interface LoadResult {
  lists: readonly LoadedList[]
  /** Why some rows were not tried; undefined if all were. */
  stopped?: string | undefined
}

/** Most concurrent requests. */
const concurrency = 8
/** Pause after a failure, in milliseconds; doubles with each consecutive failure. */
const firstPauseMs = 500
/** Consecutive attempts without progress after which the load stops. */
const maxFruitlessAttempts = 6
const interrupted = 'The load was interrupted.'

interface Session {
  connection: Connection
  contents: Contents
  signal: AbortSignal
  report(progress: Progress): void
}

/**
 * Loads a catalogue into a merchant. Compares the rows with the merchant's objects and creates the missing ones, so that an
 * interrupted load can be started again.
 */
export async function loadCatalogue({ catalogue, signal, onProgress, ...account }: LoadOptions): Promise<LoadResult> {
  const session: Session = {
    connection: new Connection(account),
    contents: new Contents(),
    signal: signal ?? new AbortController().signal,
    report: onProgress ?? (() => {}),
  }
  const testMode = account.key.startsWith('sk_test_')
  const loaded = new Map<ListName, readonly LoadingRow[]>()
  let stopped: string | undefined
  for (const list of lists) {
    const source = catalogue[list] ?? []
    if (source.length === 0) continue
    if (session.signal.aborted) {
      stopped = interrupted
      break
    }
    const targets = loaded.get(getListRules(list).references?.to ?? list) ?? []
    const rows = source.map((row, index) => prepareRow(list, index, row, targets, testMode))
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
      await createMissing(session, list, rows)
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

/** Assigns existing objects to equal rows, each object to at most one row. */
async function match({ connection, contents, signal }: Session, list: ListName, rows: readonly LoadingRow[]) {
  const taken = new Set(rows.map(({ id }) => id))
  const free = new Map<string, string[]>()
  for await (const page of connection.list(list)) {
    for (const stored of page) {
      const label = contents.labelStored(list, stored)
      if (taken.has(stored.id)) continue
      const ids = free.get(label)
      if (ids) ids.push(stored.id)
      else free.set(label, [stored.id])
    }
    if (signal.aborted) return
  }
  for (const row of rows.filter(isOpen)) {
    const id = row.draft && free.get(contents.labelDraft(list, row.draft))?.shift()
    if (id !== undefined) {
      row.id = id
      row.outcome = row.isUncertain ? 'created' : 'existing'
    }
    row.isUncertain = false
  }
}

/** Creates the open rows. Starts no further request after a failure, and throws it. */
async function createMissing(session: Session, list: ListName, rows: readonly LoadingRow[]) {
  const { connection, contents, signal, report } = session
  const missing = rows.filter(isOpen)
  const queue = missing.values()
  let done = rows.length - missing.length
  let failure: unknown

  async function create(row: LoadingRow) {
    try {
      row.id = (await connection.create(list, row.body)).id
      row.outcome = 'created'
      if (row.draft) contents.remember(row.id, contents.labelDraft(list, row.draft))
    } catch (error) {
      if (error instanceof Unavailable) row.isUncertain ||= !error.isOutcomeKnown
      if (!(error instanceof ApiRejection) || error.status === 401) throw error
      row.outcome = 'rejected'
      row.reasons = error.reasons
    }
    report({ list, done: ++done, total: rows.length })
  }

  async function work() {
    for (const row of queue) {
      if (failure || signal.aborted) return
      await create(row).catch((error: unknown) => {
        failure = error
      })
    }
  }

  report({ list, done, total: rows.length })
  await Promise.all(Array.from({ length: getListRules(list).isUnique ? 1 : concurrency }, work))
  if (failure) throw failure
}
