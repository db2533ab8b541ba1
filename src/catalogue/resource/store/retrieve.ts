import { notFound } from '../../../platform/errors.ts'
import type { Include } from '../../../platform/http/pagination.ts'
import type { Caller } from '../caller.ts'
import type { StoredObject } from '../plan/row-mapping.ts'
import { findRow, type ObjectKey, type StoreContext } from './store-context.ts'

/** Reads an object. Throws `not_found` or `DamagedError`. */
export async function retrieveObject<Item extends object>(
  context: StoreContext<Item>,
  caller: Caller,
  key: ObjectKey,
  include: Include = [],
): Promise<StoredObject<Item>> {
  if (include.includes('details')) await context.resource.details?.load()
  const found = await caller.database.findNamed(() => findRow(context, caller, key, include.includes('details')))
  if (!found) throw notFound()
  return context.mapping.read(found)
}
