import { and, eq, sql } from 'drizzle-orm'
import { lazy, param } from '../../platform/db/database.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db, typed } from '../../platform/db/query.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { findTags } from './resolve.ts'
import { type FoundTag, isElsewhere } from './tag-rows.ts'

/** A tag as it is stored, with all of its names. */
export interface ChangedTag extends FoundTag {
  names: readonly string[]
}

const namesOf = { id: tagTable.id, name: tagNameTable.name }
/** The names of the tags `:names`, which are ids. */
const findNames = lazy(() =>
  typed(namesOf, (select) =>
    db
      .select(select)
      .from(sql`json_each(${param('names')}) as requested`)
      .crossJoin(tagTable)
      .crossJoin(tagNameTable)
      .where(
        and(
          eq(tagTable.merchantId, param('merchantId')),
          eq(tagTable.id, sql`requested.value`),
          eq(tagNameTable.tag, tagTable.seq),
        ),
      ),
  ),
)

/** Reads tags of a merchant from its database, by their ids. Leaves out tags that were deleted. */
export async function readChangedTags(
  env: Bindings,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChangedTag>> {
  const database = merchantDatabase(env, { merchantId, home: undefined })
  database.usePrimary()
  const values = { merchantId, names: JSON.stringify(ids) }
  const [found, names] = await database.run([findTags(), values], [findNames(), values])
  const byId = Map.groupBy(names, ({ id }) => id)
  return new Map(
    found.flatMap((tag) => {
      if (isElsewhere(tag) || tag.tag.gone || tag.tag.merchantId !== merchantId) return []
      return [[tag.name, { ...tag, names: byId.get(tag.name)?.map(({ name }) => name) ?? [tag.name] }] as const]
    }),
  )
}
