import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { lazy, param } from '../../../platform/db/database.ts'
import { selectList, typed } from '../../../platform/db/query.ts'
import { merchantTable } from '../../../platform/db/schema/merchants.ts'
import { listHosts } from '../../../platform/lib/web-address.ts'
import { soundJson } from './related-objects.ts'

/** SQL for the addresses of the merchant `:merchantId` as JSON, for `readHosts`. */
export const selectAddresses = sql<string | null>`(select json_object('orderingUrl', ${merchantTable.orderingUrl},
  'sandboxUrl', ${merchantTable.sandboxUrl}, 'website', ${merchantTable.website},
  'destinationHosts', json(${soundJson(merchantTable.destinationHosts)}))
  from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')})`

const found = { addresses: selectAddresses }
/** Reads the addresses of the merchant `:merchantId`. */
export const findAddresses = lazy(() => typed(found, () => sql`select ${selectList(found)}`))

const address = z.nullish(z.catch(z.string(), ''))
const addresses = z.object({
  orderingUrl: address,
  sandboxUrl: address,
  website: address,
  destinationHosts: z.catch(z.array(z.string()), []),
})

/** The hosts to which addresses of the merchant may lead. */
export const readHosts = (json: string | null): readonly string[] =>
  listHosts(addresses.parse(JSON.parse(json ?? '{}')))
