import { getTableName, sql } from 'drizzle-orm'
import { type Database, lazy, param, type Values } from '../../platform/db/database.ts'
import { listed, typed } from '../../platform/db/query.ts'
import { externalIdTable } from '../../platform/db/schema/external-ids.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { resourcePaths } from '../../platform/names.ts'
import type { Mentioned } from './person/order.ts'

/** Maximum number of customers that one statement reads. */
const maxCustomersRead = 20_000

/** SQL for an email, or the digits of a phone number, as `person/contacts.ts` normalizes them. */
const email = sql`lower(replace(page.email, ' ', ''))`
const digits = ['(0)', ' ', '-', '(', ')', '.', '+', 'x', 'X'].reduce(
  (text, removed) => sql`replace(${text}, ${sql.raw(`'${removed}'`)}, '')`,
  sql`page.phone`,
)
const phone = sql`iif(${digits} like '00%', substr(${digits}, 3), ${digits})`
const isListed = sql`in ${listed('contacts')}`

const statements = {
  /** Those of `:contacts` that the next customers after `:after` have. The last row contains no contact, but the position to continue from. */
  contacts: lazy(() =>
    typed(
      { contact: sql<string | null>`contact`, next: sql<string | null>`next` },
      () => sql`
        with page as materialized (
          select ${customerTable.id} as id, ${customerTable.email} as email, ${customerTable.phone} as phone from ${customerTable}
          where ${isInScope(customerTable)} and ${customerTable.id} > ${param('after')} order by ${customerTable.id} limit ${param('limit')}
        )
        select ${email} as contact, null as next from page where page.id <> ${param('id')} and ${email} ${isListed}
        union select ${phone}, null from page where page.id <> ${param('id')} and ${phone} ${isListed}
        union all select null, iif(count(*) = ${param('limit')}, max(page.id), null) from page`,
    ),
  ),
  /** External ids of `:externalIds` that objects other than the customer `:id` have. */
  externalIds: lazy(() => {
    const { externalId, resource, object } = externalIdTable
    const paths = sql.raw(resourcePaths.map((path) => `'${path}'`).join())
    const customers = sql.raw(`'${getTableName(customerTable)}'`)
    const own = sql`(select ${customerTable.seq} from ${customerTable} where ${isInScope(customerTable)} and ${customerTable.id} = ${param('id')})`
    return typed(
      { externalId: sql<string>`externalId`, isCustomer: sql<number>`isCustomer` },
      () => sql`
        select ${externalId} as "externalId", ${resource} = ${customers} as "isCustomer" from ${externalIdTable}
        where ${isInScope(externalIdTable)} and ${resource} in (${paths})
          and ${externalId} in ${listed('externalIds')}
          and not (${resource} = ${customers} and ${object} is ${own})`,
    )
  }),
}

/** The values that others have. */
export interface Others {
  /** Emails and phone numbers of other customers, and their external ids. */
  contacts: Set<string>
  externalIds: Set<string>
  /** External ids of objects that are not customers. */
  ambiguous: Set<string>
}

/** Finds the values that customers other than `:id` have, and external ids of other objects. */
export async function findOthers(database: Database, values: Values, mentioned: Mentioned): Promise<Others> {
  const found: Others = { contacts: new Set(), externalIds: new Set(), ambiguous: new Set() }
  const lists = {
    ...values,
    contacts: JSON.stringify([...mentioned.contacts]),
    externalIds: JSON.stringify([...mentioned.externalIds]),
    limit: maxCustomersRead,
  }
  if (mentioned.externalIds.size > 0) {
    const [rows] = await database.run([statements.externalIds(), lists])
    for (const { externalId, isCustomer } of rows) (isCustomer ? found.externalIds : found.ambiguous).add(externalId)
  }
  for (let after: string | null = mentioned.contacts.size > 0 ? '' : null; after !== null; ) {
    const [rows]: { contact: string | null; next: string | null }[][] = await database.run([
      statements.contacts(),
      { ...lists, after },
    ])
    for (const { contact } of rows ?? []) if (contact !== null) found.contacts.add(contact)
    after = rows?.find(({ next }) => next !== null)?.next ?? null
  }
  return found
}
