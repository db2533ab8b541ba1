import { getTableColumns, getTableName } from 'drizzle-orm'
import { DamagedError } from '../db/damaged-rows.ts'
import type { Statement, Values } from '../db/database.ts'
import { ConstraintError } from '../db/database-errors.ts'
import { readPageWithin, rowShare, shareParameter, showPage } from '../db/page-budget.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import type { Scope } from '../db/scope.ts'
import { sqlName } from '../db/sql-name.ts'
import { commit, type Operation, type Write } from '../db/transaction.ts'
import { ApiError, type Issue, invalid, notFound, UnavailableError } from '../errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed } from '../http/etag.ts'
import { createCursor, type ListQuery, pageSize, readPosition } from '../http/pagination.ts'
import type { ParsedBody } from '../http/validation.ts'
import { createId } from '../lib/ids.ts'
import { indexTerms, matchExpression } from '../lib/search-terms.ts'
import { fanOut, toPendingDeliveries } from '../outbox/fan-out.ts'
import type { Draft, ResourceDefinition } from './definition.ts'
import { applyPatch, collectIssues, isSameJson, merge } from './merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from './object-lock.ts'
import { createReferences } from './references.ts'
import type { Session } from './session.ts'
import { createStatements, getFilterParam, getListShape } from './statements.ts'

/** What a store has to know besides its own resource. */
export interface StoreDependencies {
  /** The resources whose objects may name those of this one. */
  all: readonly ResourceDefinition[]
}

/** An object, and its version: one, and one more with every change. */
export interface StoredObject<Item> {
  id: string
  item: Item
  version: number
}

/** What the one who asked for a change is answered: known before it is made, so that it can be kept with it. */
type Respond<Item> = (changed: StoredObject<Item>) => Response | Promise<Response>

/** An object that was deleted; of a damaged one, the fields that could be read. */
export type Removed<Item> =
  | (StoredObject<Item> & { damaged?: undefined })
  | { id: string; item?: undefined; damaged: DamagedError; version: number }

export interface ListPage<Item> {
  items: Item[]
  /** Cursor of the next page; undefined on the last one. */
  next: string | undefined
}

/** The condition that no object fulfils. */
const matchesNothing: Precondition = { versions: [], wanted: true }

/** Columns that are not part of an object. */
const internalColumns: ReadonlySet<string> = new Set(['seq', 'merchantId', 'version'])

const toSeconds = (ms: number) => Math.floor(ms / 1000)

/** What the statements of one change have in common. */
const createEventValues = ({ scope, renderContext }: Session, nowMs: number): Values => ({
  ...scope,
  event: createId('evt'),
  atMs: nowMs,
  now: toSeconds(nowMs),
  baseUrl: renderContext.baseUrl,
})

/** All objects of one resource. Whatever it does is done for one merchant: every call takes a session, and so a scope. */
export function createStore<Item extends object>(resource: ResourceDefinition<Item>, { all }: StoreDependencies) {
  const { table, hooks } = resource
  const tableName = getTableName(table)
  const columns = Object.keys(getTableColumns(table)).filter((key) => !internalColumns.has(key))
  const statements = createStatements(resource, all)
  const { dangling, relink, unlinkAll } = createReferences(resource, statements)
  const readItem = createRowReader(table, resource.item)

  const spansBothModes = (scope: Scope) => resource.spansModes && !scope.testMode
  const partition = (testMode: boolean) => (resource.spansModes ? '' : testMode ? 't' : 'l')

  const read = (row: Row): StoredObject<Item> => ({
    id: String(row['id']),
    item: readItem(row),
    version: Number(row['version']),
  })

  /** The columns of an object, by their keys. */
  function toRow(item: object): Draft {
    const fields: Draft = { ...item }
    const derived = { ...fields, ...hooks.derive(fields) }
    return Object.fromEntries(columns.map((key) => [key, derived[key]]))
  }

  /** An object, or what can be read of one that is damaged. */
  function readAsFarAsPossible(row: Row): Removed<Item> {
    try {
      return read(row)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      return { id: String(row['id']), damaged: error, version: Number(row['version']) }
    }
  }

  const findRow = async ({ database, scope }: Session, id: string): Promise<Row | undefined> =>
    (await database.run([statements.find(spansBothModes(scope)), { ...scope, id }]))[0]?.[0]

  /** Throws when anything is wrong with a body, the objects it names included. */
  async function requireValid(session: Session, issues: readonly Issue[], draft: Draft) {
    if (issues.length === 0) return
    const missing = await dangling(session, draft)
    throw invalid([
      ...issues,
      ...missing.filter(({ pointer }) => !issues.some((issue) => 'pointer' in issue && issue.pointer === pointer)),
    ])
  }

  /** Whether a write was undone because the object was no longer at the version that had been read. */
  const isLostRace = (error: unknown) => error instanceof ConstraintError && error.subject === `${tableName}.version`

  /** What the client did wrong when the database refused a write. Returns when it did nothing wrong, and the write may be tried again. */
  async function throwClientError(session: Session, error: unknown, draft: Draft) {
    if (!(error instanceof ConstraintError) || error.kind === 'check') throw error
    const missing = await dangling(session, draft)
    if (missing.length > 0) throw invalid(missing)
    if (error.kind !== 'unique') return
    const fields = Object.entries(resource.uniqueFields).filter(([column]) =>
      error.subject.includes(`${tableName}.${sqlName(column)}`),
    )
    if (fields.length === 0) throw error
    const issues = fields.map(
      ([, field]): Issue => ({
        pointer: `/${field}`,
        code: 'duplicate',
        message: `is that of another ${resource.name}`,
      }),
    )
    throw new ApiError(
      'conflict',
      `Another ${resource.name} has the same ${fields.map(([, field]) => field).join(' and ')}.`,
      issues,
    )
  }

  /** The statements that keep the full-text index in step; none where the texts have not changed. */
  function createIndexWrites(scope: Scope, id: string, before: Draft | undefined, after: Draft): [Statement, Values][] {
    const texts = hooks.searchTexts(after)
    if (before && isSameJson(hooks.searchTexts(before), texts)) return []
    const terms = indexTerms(scope.merchantId, partition(after['testMode'] === true), texts)
    const statement = before ? statements.reindex : statements.index
    return [[statement(spansBothModes(scope)), { ...scope, id, terms }]]
  }

  /** One transaction: a change and the deliveries of what it raised. Returns what each statement of the change did. */
  async function write(session: Session, operation: Operation, values: Values, change: Write, rest: Write = []) {
    const results = await commit(session, operation, change, [...rest, [fanOut(), values]])
    const pending = toPendingDeliveries(results.at(-1) ?? [])
    if (pending.length > 0) session.enqueue(pending)
    return results
  }

  /** Undoes the transaction where an object that exists is not as a condition says. */
  const guard = (scope: Scope, id: string, { versions, wanted }: Precondition): [Statement, Values] => [
    statements.guard(spansBothModes(scope)),
    { ...scope, id, versions: JSON.stringify(versions), wanted },
  ]

  const createOperation = (
    verb: string,
    changed: StoredObject<Item>,
    answer: Respond<Item> | undefined,
  ): Operation => ({
    operation: `${resource.path}.${verb}`,
    object: changed.id,
    answer: answer && (() => answer(changed)),
  })

  const createExtraWrites = (values: Values, before: Draft | undefined, after: Draft) =>
    hooks.extraStatements(before, after).map((statement): [Statement, Values] => [statement, values])

  /** The old values of what has changed, as events tell them: null where there was none. */
  function getPreviousValues(before: object, changed: readonly string[]): Draft {
    const fields = toRow(before)
    const derived = hooks.derive(fields)
    return Object.fromEntries(changed.filter((key) => !(key in derived)).map((key) => [key, fields[key] ?? null]))
  }

  /** A key for tests may not make, or turn something into, what guests meet; that is told before any other fault of a body. */
  function requireAllowedMode(scope: Scope, { patch }: ParsedBody) {
    if (scope.testMode && patch['testMode'] === false) {
      throw new ApiError('forbidden', 'A test key cannot make live objects.')
    }
  }
  const getMode = (scope: Scope, draft: Draft) =>
    draft['testMode'] === undefined ? scope.testMode : draft['testMode'] === true

  const operations = {
    /** One page, of at most `pageBytes` in JSON of what `show` makes of each object, but of one object at least. */
    async list<View>(session: Session, query: ListQuery, show: (item: Item) => View): Promise<ListPage<View>> {
      const { database, scope } = session
      const match =
        query.q === undefined ? undefined : matchExpression(scope.merchantId, partition(scope.testMode), query.q)
      const { after } = readPosition(tableName, scope, query)
      const limit = query.limit ?? (query.ids ? pageSize.max : pageSize.default)
      const statement = statements.list(spansBothModes(scope), getListShape(resource, query, match !== undefined))
      const filters = Object.entries(query).map(([name, value]) => [getFilterParam(name), value])
      const { updatedSince } = query
      const narrowed = { ...Object.fromEntries(filters), updatedSince, ids: JSON.stringify(query.ids), match, after }
      const asked = { ...narrowed, ...scope, rows: limit + 1, [shareParameter]: rowShare(limit + 1) }
      const [found = []] = await database.run([statement, asked])
      const readWhole = async (ids: readonly string[]) =>
        (await database.run([statements.findAll(spansBothModes(scope)), { ...scope, ids: JSON.stringify(ids) }])).flat()
      const page = await readPageWithin(found, limit, 'id', readWhole)
      const { shown, end } = showPage(database, page, 'id', (row) => show(readItem(row)))
      return {
        items: shown,
        next: end === undefined ? undefined : createCursor(tableName, scope, query, end),
      }
    },

    async retrieve(session: Session, id: string): Promise<StoredObject<Item>> {
      const found = await findRow(session, id)
      if (!found) throw notFound()
      return read(found)
    },

    /** Creates an object. `given` are values that the service would otherwise make itself. */
    async create(
      session: Session,
      body: ParsedBody,
      answer?: Respond<Item>,
      generated: Draft = {},
    ): Promise<StoredObject<Item>> {
      const { scope, validationContext } = session
      const { merchantId } = scope
      requireAllowedMode(scope, body)
      const draft = applyPatch(resource, {}, body.patch)
      await requireValid(session, collectIssues(resource, body, draft, validationContext), draft)

      const nowMs = Date.now()
      const now = toSeconds(nowMs)
      const id = String(generated['id'] ?? createId(resource.idPrefix))
      const set = {
        ...hooks.generate(),
        testMode: getMode(scope, draft),
        createdAt: now,
        updatedAt: now,
        ...generated,
        id,
      }
      const item = resource.item.parse({ ...hooks.complete(draft), ...set })
      const row = toRow(item)
      const values = { ...createEventValues(session, nowMs), id }
      const made = { id, item, version: 1 }
      const operation = createOperation('create', made, answer)
      const { maxPerMode } = resource
      const limited: [Statement, Values][] =
        maxPerMode === undefined ? [] : [[statements.limit(), { ...scope, id, most: maxPerMode }]]
      for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
        try {
          const insertion = [statements.insert(), { ...row, merchantId, version: 1 }] as const
          await write(
            session,
            operation,
            values,
            [insertion],
            [
              ...limited,
              ...relink(scope, id, {}, row),
              ...createIndexWrites(scope, id, undefined, row),
              ...createExtraWrites(values, undefined, row),
              [statements.insertEvent.created(spansBothModes(scope)), values],
            ],
          )
          return made
        } catch (error) {
          if (maxPerMode !== undefined && violates(error, `${tableName}.version`)) throw tooMany(resource, maxPerMode)
          await throwClientError(session, error, draft)
          await pauseAfter(attempt)
        }
      }
      throw busy()
    },

    async update(
      session: Session,
      id: string,
      body: ParsedBody,
      answer?: Respond<Item>,
      condition?: Precondition,
      hasWaited = false,
    ): Promise<StoredObject<Item>> {
      const { database, scope, validationContext } = session
      requireAllowedMode(scope, body)
      let isLatest = hasWaited
      // The request before this one has just changed the object: a replica may not show it yet.
      if (hasWaited) database.usePrimary()
      for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
        const row = await findRow(session, id)
        if (!row) {
          const named = merge({}, body.patch)
          await requireValid(session, [...body.issues, ...(await dangling(session, named))], {})
          throw notFound()
        }
        const current = readAsFarAsPossible(row)
        const { version, damaged } = current
        const before = damaged ? damaged.readable : current.item
        const old = toRow(before)
        const draft = applyPatch(resource, old, body.patch)
        const unread = damaged?.damage.fields ?? []
        if (damaged && !unread.every((field) => field in hooks.translate(body.patch))) {
          await requireValid(session, body.issues, draft)
          throw damaged
        }
        await requireValid(
          session,
          collectIssues(resource, body, draft, { ...validationContext, previous: old }),
          draft,
        )

        const item = resource.item.parse({ ...hooks.complete(draft), testMode: getMode(scope, draft) })
        const next = toRow(item)
        const changed = columns.filter((key) => unread.includes(key) || !isSameJson(old[key], next[key]))
        const isStale = condition !== undefined && !isPreconditionMet(condition, version)
        if (changed.length === 0 && isLatest) {
          if (isStale) throw preconditionFailed()
          return { id, item, version }
        }
        if (changed.length > 0 && (isLatest || !isStale)) {
          const nowMs = Date.now()
          const updatedAt = Math.max(toSeconds(nowMs), Number(old['updatedAt']) + 1)
          const values = {
            ...createEventValues(session, nowMs),
            id,
            previous: JSON.stringify(getPreviousValues(before, changed)),
          }
          const updated = { id, item: resource.item.parse({ ...next, updatedAt }), version: version + 1 }
          const change = [
            statements.update(spansBothModes(scope), [...changed, 'updatedAt']),
            { ...scope, ...next, id, updatedAt, expected: version },
          ] as const
          try {
            const [rows = []] = await write(
              session,
              createOperation('update', updated, answer),
              values,
              [change],
              [
                ...createIndexWrites(scope, id, old, next),
                // What a damaged field named is not known: all links are made anew.
                ...(damaged ? unlinkAll(scope, id) : []),
                ...relink(scope, id, damaged ? {} : old, next),
                ...createExtraWrites(values, old, next),
                [statements.insertEvent.updated(spansBothModes(scope)), values],
                // What else is wrong is told first, so the change is tried, and undone.
                ...(isStale ? [guard(scope, id, matchesNothing)] : []),
              ],
            )
            if (rows.length > 0) return updated
          } catch (error) {
            if (isStale || !isLostRace(error)) await throwClientError(session, error, draft)
            if (!isStale) await pauseAfter(attempt)
          }
          if (isStale) throw preconditionFailed()
        }
        // What was read may have come from a replica that lags behind, or someone else was faster.
        database.usePrimary()
        isLatest = true
      }
      throw busy()
    },

    /** Deletes an object, also one that is damaged or that a damaged one names. */
    async remove(session: Session, id: string, condition?: Precondition): Promise<Removed<Item>> {
      const { scope } = session
      const values = { ...createEventValues(session, Date.now()), id }
      const operation = { operation: `${resource.path}.delete`, object: id }
      const remove = async (prune: readonly Statement[], raise: Statement) => {
        const deletion = [
          ...prune,
          raise,
          ...hooks.extraStatements(undefined, undefined),
          statements.remove(spansBothModes(scope)),
        ]
        const change = [
          ...(condition ? [guard(scope, id, condition)] : []),
          ...deletion.map((statement): [Statement, Values] => [statement, values]),
        ]
        return (await write(session, operation, values, change))[change.length - 1] ?? []
      }
      const rows = await remove(statements.prune(), statements.insertEvent.deleted(spansBothModes(scope)))
        .catch((error: unknown) => {
          if (error instanceof ConstraintError || error instanceof UnavailableError) throw error
          // SQLite cannot parse JSON that the deletion has to change or record.
          return remove(statements.pruneDamaged(), statements.insertEvent.deletedDamaged(spansBothModes(scope)))
        })
        .catch((error: unknown) => {
          throw condition && error instanceof ConstraintError && error.kind === 'not_null'
            ? preconditionFailed()
            : error
        })
      const [row] = rows
      if (!row) throw notFound()
      const removed = readAsFarAsPossible(row)
      if (removed.damaged) session.database.report([removed.damaged.damage])
      return removed
    },
  }
  return {
    ...operations,

    /** Updates of one object take turns: two that fail for one another cost more than two that do not meet. */
    update: (session: Session, id: string, body: ParsedBody, answer?: Respond<Item>, condition?: Precondition) =>
      withObjectLock(JSON.stringify([tableName, session.scope.merchantId, id]), (hasWaited) =>
        operations.update(session, id, body, answer, condition, hasWaited),
      ),
  }
}

const violates = (error: unknown, subject: string) =>
  error instanceof ConstraintError && error.kind === 'not_null' && error.subject === subject

const tooMany = ({ path }: ResourceDefinition, most: number) =>
  new ApiError('too_many', `A merchant can have ${most} ${path} in each mode. Delete one first.`)
