import { collectionAt } from './collection.ts'
import { keysAt } from './keys.ts'
import type * as model from './models.ts'
import { type ClientOptions, pathTo, type RequestOptions, Transport } from './transport.ts'

/** Creates a client for the operator API; `key` is the operator token. */
export function createOperator(options: ClientOptions) {
  const transport = new Transport(options)
  const merchants = collectionAt<model.MerchantCreate, model.MerchantUpdate, model.ListMerchantsQuery, model.Merchant>(
    transport,
    '/admin/merchants',
  )
  const keysOf = (merchantId: string) => keysAt(transport, pathTo('admin', 'merchants', merchantId, 'keys'))
  return {
    merchants: {
      create: merchants.create,
      retrieve: merchants.retrieve,
      update: merchants.update,
      list: merchants.list,
    },
    keys: {
      list: (merchantId: string, query?: model.ListKeysQuery, more?: RequestOptions) =>
        keysOf(merchantId).list(query, more),
      create: (merchantId: string, body: model.KeyCreate, more?: RequestOptions) =>
        keysOf(merchantId).create(body, more),
      revoke: (merchantId: string, id: string, more?: RequestOptions) => keysOf(merchantId).revoke(id, more),
      /** Creates a successor of a key; the old key expires after the overlap. */
      roll: (merchantId: string, id: string, body?: model.KeyRoll, more?: RequestOptions) =>
        keysOf(merchantId).roll(id, body, more),
    },
  }
}
export type Operator = ReturnType<typeof createOperator>
