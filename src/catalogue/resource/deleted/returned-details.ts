import { sql } from 'drizzle-orm'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import { compile, lazy, param, type Statement, type Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { Caller } from '../caller.ts'
import type { Draft, ResourceDefinition } from '../definition.ts'
import { listNamed } from '../details/detail-references.ts'
import { listPartIds, readAllDetails } from '../details/details-definition.ts'
import { addRelated, readRelated, selectEach } from '../details/related-objects.ts'
import { readKeptDetails } from './kept-rows.ts'

/** A deleted object that returns, with what its deletion kept. */
interface Returning {
  resource: Pick<ResourceDefinition, 'path' | 'details'>
  id: string
  kept: Draft
}

/** An object as it returns. */
interface Returned {
  path: ResourcePath
  id: string
  item: object
}

/** The event about the details of a restored object: the version of the details and the row of the event. */
interface ReturnedDetails {
  path: ResourcePath
  event: { id: string; version: number; row: { id: string; details: object } }
}

/** Rows of the objects that details name. */
type RelatedRows = { readonly [target in Target]?: readonly Row[] }

const targets = ['products', 'modifiers'] as const
type Target = (typeof targets)[number]

const statements = lazy(() => {
  const scope = { merchantId: sql`${param('merchantId')}`, testMode: sql`${param('testMode')}` }
  const select = (target: Target) =>
    compile(selectEach[target](scope, sql`select value from json_each(${param('ids')})`))
  return { products: select('products'), modifiers: select('modifiers') }
})

/** Position of an object: the details of others depend on those of modifiers, then of products. */
function rank({ resource: { path } }: Returning, { bundle }: Draft): number {
  if (path === 'modifiers') return 0
  return path === 'products' ? (bundle === undefined ? 1 : 2) : 3
}

/** The details of deleted objects that return, as events tell them. Another object that they name may return in the same transaction. */
export async function createReturnedDetails(merchantId: string, returning: readonly Returning[]) {
  const read = await Promise.all(
    returning.map(async (each) => {
      const definition = await each.resource.details?.load()
      const stored = definition && readKeptDetails(each.kept, each.id)
      return definition && stored ? [{ ...each, definition, stored }] : []
    }),
  )
  const states = read.flat().sort((a, b) => rank(a, a.stored.data) - rank(b, b.stored.data))
  const named = states.flatMap(({ definition, stored }) => listNamed(stored.data, definition.references ?? []))
  const listIds = (target: Target) => [...new Set(named.flatMap((each) => (each.target === target ? [each.id] : [])))]

  /** The statements that read the existing objects that the details name. */
  function* listReads(scope: Caller['scope']): Iterable<readonly [Target, Statement, Values]> {
    for (const target of targets) {
      const ids = listIds(target)
      if (ids.length > 0) yield [target, statements()[target], { ...scope, ids: JSON.stringify(ids) }]
    }
  }

  return {
    listReads,

    /** Reads the existing objects that the details name. One round trip, or none. */
    async findRelated({ database, scope }: Caller): Promise<RelatedRows> {
      const reads = [...listReads(scope)]
      const results =
        reads.length === 0
          ? []
          : await database.run<Row[]>(...reads.map(([, statement, values]) => [statement, values] as const))
      return Object.fromEntries(reads.map(([target], index) => [target, results[index] ?? []]))
    },

    /** Plans the events. `returned` are all objects that return, also those without details. */
    plan(rows: RelatedRows, returned: readonly Returned[]): readonly ReturnedDetails[] {
      const toList = (target: Target) => (rows[target] ?? []).map(({ related }): unknown => JSON.parse(String(related)))
      const found = readRelated(toList('products'), toList('modifiers'))
      const related = { products: new Map(found.products), modifiers: new Map(found.modifiers) }
      for (const { path, id, item } of returned) {
        if (path === 'products') related.products.set(id, { id, sizes: new Set(), isBundle: false })
        if (path !== 'modifiers') continue
        const options = listPartIds(Reflect.get(item, 'options'))
        related.modifiers.set(id, { id, type: String(Reflect.get(item, 'type')), options, nests: false })
      }
      const items = new Map(returned.map(({ id, item }) => [id, item]))
      for (const { resource, id, stored } of states) {
        if (resource.path === 'modifiers' && items.has(id))
          addRelated(related, { path: resource.path, id }, stored.data)
      }
      const planned: ReturnedDetails[] = []
      for (const { resource, id, definition, stored } of states) {
        const item = items.get(id)
        if (!item) continue
        const partIds = listPartIds(definition.parts && Reflect.get(item, definition.parts.field))
        try {
          const read = readAllDetails(definition, JSON.stringify(stored), partIds, { id, merchantId }, related)
          if (resource.path === 'products') addRelated(related, { path: resource.path, id }, read.kept)
          planned.push({
            path: resource.path,
            event: { id, version: stored.version + 1, row: { id, details: read.details } },
          })
        } catch (error) {
          // Details that nobody can read change no copy.
          if (!(error instanceof DamagedError)) throw error
        }
      }
      return planned
    },
  }
}
