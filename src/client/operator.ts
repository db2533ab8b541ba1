import { collectionAt, type Deleted, listAt } from './collection.ts'
import type * as model from './models.ts'
import { type ClientOptions, pathTo, type RequestOptions, Transport } from './transport.ts'

/** Creates a client for the operator API; `key` is the operator token. */
export function createOperator(options: ClientOptions) {
  const transport = new Transport(options)
  const merchants = collectionAt<model.MerchantCreate, model.MerchantUpdate, model.ListMerchantsQuery, model.Merchant>(
    transport,
    '/admin/merchants',
  )
  const getKeys = (merchantId: string, ...segments: readonly string[]) =>
    pathTo('admin', 'merchants', merchantId, 'keys', ...segments)
  return {
    merchants: {
      create: merchants.create,
      retrieve: merchants.retrieve,
      update: merchants.update,
      list: merchants.list,
    },
    keys: {
      list: (merchantId: string, query: model.ListKeysQuery = {}, more?: RequestOptions) =>
        listAt<model.Key>(transport, getKeys(merchantId), { ...query }, more),
      create: (merchantId: string, body: model.KeyCreate, more?: RequestOptions) =>
        transport.read<model.KeyFull>({ method: 'POST', path: getKeys(merchantId), body, ...more }),
      revoke: (merchantId: string, id: string, more?: RequestOptions) =>
        transport.read<Deleted<model.Key>>({
          method: 'DELETE',
          path: getKeys(merchantId, id),
          ...more,
        }),
      /** Creates a successor of a key; the old key expires after the overlap. */
      roll: (merchantId: string, id: string, body: model.KeyRoll = {}, more?: RequestOptions) =>
        transport.read<model.KeyFull>({
          method: 'POST',
          path: getKeys(merchantId, id, 'roll'),
          body,
          ...more,
        }),
    },
  }
}
export type Operator = ReturnType<typeof createOperator>
