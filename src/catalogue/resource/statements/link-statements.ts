import { sql } from 'drizzle-orm'
import { compile, param } from '../../../platform/db/database.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import type { Reference } from '../definition.ts'

/** The statements that keep the links of one field consistent with it. */
export function createLinkStatements(owner: ResourceTable, { target, links }: Reference) {
  const named = sql`json_each(${param('ids')}) as named`
  const ownerSeq = sql`(select ${owner.seq} from ${owner} where ${isInScope(owner)} and ${owner.id} = ${param('id')})`
  const present = sql`${isInScope(target)} and ${target.id} = named.value`
  return {
    /** Violates NOT NULL if one of the ids does not exist. This prevents dangling references. */
    link: compile(
      sql`insert into ${links} (owner, target) select ${ownerSeq}, ${target.seq} from ${named} left join ${target} on ${present} where true on conflict do nothing`,
    ),
    unlink: compile(
      sql`delete from ${links} where ${links.owner} = ${ownerSeq} and ${links.target} in (select ${target.seq} from ${named} cross join ${target} where ${present})`,
    ),
    unlinkAll: compile(sql`delete from ${links} where ${links.owner} = ${ownerSeq}`),
    missing: compile(
      sql`select named.value as id from ${named} where not exists (select 1 from ${target} where ${present})`,
    ),
  }
}
