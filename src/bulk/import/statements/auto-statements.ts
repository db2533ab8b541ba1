import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param } from '../../../platform/db/database.ts'
import { db, listed, typed } from '../../../platform/db/query.ts'
import { importChunkTable as chunks, importIssueTable as issues } from '../../../platform/db/schema/imports/imports.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { menuTable } from '../../../platform/db/schema/resources/menus.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../../platform/db/scope.ts'

const isOfImport = allOf(eq(chunks.merchantId, param('merchantId')), eq(chunks.importId, param('import')))
const isWanted = (key: Parameters<typeof eq>[0]) => sql`${key} in ${listed('keys')}`

const factFields = {
  id: productTable.id,
  sku: productTable.sku,
  upc: productTable.upc,
  price: productTable.price,
  modifiers: productTable.modifiers,
}

/** Statements of imports with `mapping=auto`. */
export const autoStatements = {
  venue: lazy(() =>
    typed(
      { currency: merchantTable.currency, language: merchantTable.language, timezone: merchantTable.timezone },
      (select) =>
        db
          .select(select)
          .from(merchantTable)
          .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),

  /** The modifiers with the titles `:keys`, oldest first. */
  modifiers: lazy(() => {
    const fields = {
      id: modifierTable.id,
      title: modifierTable.title,
      type: modifierTable.type,
      options: modifierTable.options,
    }
    return typed(fields, (select) =>
      db
        .select(select)
        .from(modifierTable)
        .where(and(isInScope(modifierTable), isWanted(modifierTable.title)))
        .orderBy(asc(modifierTable.seq)),
    )
  }),

  /** Fields on which an update of the products `:keys` depends. */
  productFacts: lazy(() =>
    typed(factFields, (select) =>
      db
        .select(select)
        .from(productTable)
        .where(and(isInScope(productTable), isWanted(productTable.id))),
    ),
  ),

  /** The title of the menu `:id`. */
  menuTitle: lazy(() =>
    typed({ title: menuTable.title }, (select) =>
      db
        .select(select)
        .from(menuTable)
        .where(and(isInScope(menuTable), eq(menuTable.id, param('id')))),
    ),
  ),

  menuSections: lazy(() =>
    typed({ id: menuTable.id, sections: menuTable.sections }, (select) =>
      db
        .select(select)
        .from(menuTable)
        .where(and(isInScope(menuTable), isWanted(menuTable.id))),
    ),
  ),

  /** The next chunk of the file as it came, after `:after`. */
  rawChunk: lazy(() =>
    typed({ position: chunks.position, rows: chunks.rows }, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(isOfImport, lt(chunks.position, 0), sql`${chunks.position} > ${param('after')}`))
        .orderBy(asc(chunks.position))
        .limit(1),
    ),
  ),

  /** The first chunk of a mapping from `:base` on, of one resource. */
  mappedChunk: lazy(() =>
    typed({ position: chunks.position, rows: chunks.rows, matches: chunks.matches }, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(isOfImport, gte(chunks.position, param('base')), eq(chunks.resource, param('resource'))))
        .orderBy(asc(chunks.position))
        .limit(1),
    ),
  ),

  /** Positions of that chunk and of the next one. */
  mappedPositions: lazy(() =>
    typed({ position: chunks.position }, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(isOfImport, gte(chunks.position, param('base')), eq(chunks.resource, param('resource'))))
        .orderBy(asc(chunks.position))
        .limit(2),
    ),
  ),

  /** Issues and notices of the rows `:rows`. */
  rowIssues: lazy(() => {
    const { id, row, code, message, column } = issues
    return typed({ id, row, code, message, column }, (select) =>
      db
        .select(select)
        .from(issues)
        .where(
          and(
            eq(issues.merchantId, param('merchantId')),
            eq(issues.importId, param('import')),
            sql`${issues.row} in ${listed('rows')}`,
          ),
        )
        .orderBy(asc(issues.id)),
    )
  }),

  /** Deletes the issues of an earlier mapping. */
  removeIssues: lazy(() =>
    compile(
      db.delete(issues).where(and(eq(issues.merchantId, param('merchantId')), eq(issues.importId, param('import')))),
    ),
  ),

  /** Deletes the rows of all mappings but that from `:base` on. */
  removeMapped: lazy(() =>
    compile(db.delete(chunks).where(and(isOfImport, gte(chunks.position, 0), lt(chunks.position, param('base'))))),
  ),
}
