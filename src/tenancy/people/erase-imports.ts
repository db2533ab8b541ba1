import * as z from 'zod/mini'
import type { Database } from '../../platform/db/database.ts'
import type { StoredPerson } from './find-person.ts'
import {
  type IssueTexts,
  maxChunksRead,
  maxIssuesRead,
  importPersonStatements as statements,
} from './import-person-statements.ts'
import { findOthers, type Others } from './other-customers.ts'
import { type ImportRow, listRowValues, redactHeader, redactRow } from './person/import-rows.ts'
import { createMentioned, mention } from './person/order.ts'
import { type Extent, redactText } from './person/person.ts'

const storedRows = z.array(z.looseObject({ row: z.int(), raw: z.union([z.string(), z.array(z.string())]) }))
const cells = z.nullable(z.array(z.string()))
const readHeader = (header: unknown) => cells.safeParse(header).data ?? []

interface Chunk {
  importId: string
  position: number
}

async function findOthersInRows(
  { database, found }: Erasing,
  rows: readonly Pick<ImportRow, 'raw'>[],
  file: Parameters<typeof listRowValues>[1],
): Promise<Others> {
  const mentioned = createMentioned()
  for (const { raw } of rows) mention(mentioned, listRowValues(raw, file))
  return findOthers(database, found.values, mentioned)
}

/** An erasure of imported files. */
interface Erasing {
  database: Database
  found: StoredPerson
  /** Chunks that were read. */
  seen: Chunk[]
}

/** Removes the person from the rows of a chunk, and the values in the issues of emptied rows. */
async function redactChunk(erasing: Erasing, place: Chunk): Promise<void> {
  const { database, found } = erasing
  for (;;) {
    const [[chunk]] = await database.run([statements.chunk(), { ...found.values, ...place }])
    if (!chunk) return
    const rows = storedRows.parse(chunk.rows)
    const file = { header: readHeader(chunk.header), resource: chunk.resource }
    const others = await findOthersInRows(erasing, rows, file)
    const emptied: number[] = []
    let isChanged = false
    const left = rows.map((stored) => {
      const redacted = redactRow(found.person, others, stored, file)
      if (!redacted) return stored
      isChanged = true
      if (redacted.kind === 'changed') return { ...stored, raw: redacted.raw }
      emptied.push(stored.row)
      const { issue, ...rest } = stored
      const value: object = typeof issue === 'object' && issue !== null ? { issue: { ...issue, value: undefined } } : {}
      return { ...rest, raw: typeof stored.raw === 'string' ? '' : [], ...value }
    })
    if (!isChanged) return
    const values = { ...found.values, ...place, bytes: chunk.bytes, emptied: JSON.stringify(emptied) }
    const [updated] = await database.run(
      [statements.replaceRows(), { ...values, rows: JSON.stringify(left) }],
      [statements.emptyIssues(), values],
    )
    // Another erasure has changed the rows.
    if (updated.length > 0) return
  }
}

async function redactChunks(erasing: Erasing): Promise<void> {
  const { database, found, seen } = erasing
  for (let after: Chunk | undefined = { importId: '', position: -1 }; after !== undefined; ) {
    const [page]: { importId: string; position: number; isCandidate: number }[][] = await database.run([
      statements.chunks(),
      { ...found.values, ...after },
    ])
    for (const { importId, position, isCandidate } of page ?? []) {
      if (isCandidate === 0) continue
      await redactChunk(erasing, { importId, position })
      seen.push({ importId, position })
    }
    after = page?.length === maxChunksRead ? page.at(-1) : undefined
  }
}

/** Redacts headers. Returns the imports whose header was changed. */
async function redactHeaders(erasing: Erasing): Promise<ReadonlySet<string>> {
  const { database, found } = erasing
  const changed = new Set<string>()
  const [page] = await database.run([statements.headers(), found.values])
  for (const { id, header } of page) {
    const stored = readHeader(header)
    const others = await findOthersInRows(erasing, [{ raw: stored }], { header: [], resource: '' })
    const left = redactHeader(found.person, others, stored)
    if (!left) continue
    await database.run([statements.replaceHeader(), { ...found.values, importId: id, header: left }])
    changed.add(id)
  }
  return changed
}

/** Issues of the header belong to rows before the first chunk. */
const lastHeaderRow = 2

/** An issue without the person. Undefined if it does not contain it. */
function redactIssue({ person }: StoredPerson, issue: IssueTexts, extent: Extent): IssueTexts | undefined {
  const redact = (text: string) => redactText(person, text, extent)
  const { column, pointer, value, message } = issue
  const left = {
    ...issue,
    column: column && redact(column),
    pointer: pointer && redact(pointer),
    value: value && redact(value),
    message: redact(message),
  }
  return JSON.stringify(left) === JSON.stringify(issue) ? undefined : left
}

/** Removes the person from the texts of issues, including those of omitted rows. */
async function redactIssues({ database, found }: Erasing, headers: ReadonlySet<string>): Promise<void> {
  const values = { ...found.values, headers: JSON.stringify([...headers]) }
  let after: Pick<IssueTexts, 'importId' | 'issue'> | undefined = { importId: '', issue: '' }
  while (after !== undefined) {
    const [page]: IssueTexts[][] = await database.run([statements.issues(), { ...values, ...after }])
    const writes = (page ?? []).flatMap((issue) => {
      const extent = headers.has(issue.importId) && issue.row <= lastHeaderRow ? 'all' : 'own'
      const left = redactIssue(found, issue, extent)
      return left ? [[statements.replaceIssue(), { ...found.values, ...left }] as const] : []
    })
    if (writes.length > 0) await database.run(...writes)
    after = page?.length === maxIssuesRead ? page.at(-1) : undefined
  }
}

/**
 * Removes a person from uploaded rows, headers and issues of every resource. Takes the values of `findPerson`. Returns the chunks that were read.
 * Repeating it makes no further changes.
 */
export async function redactImports(database: Database, found: StoredPerson): Promise<readonly Chunk[]> {
  const erasing: Erasing = { database, found, seen: [] }
  await redactChunks(erasing)
  await redactIssues(erasing, await redactHeaders(erasing))
  return erasing.seen
}
