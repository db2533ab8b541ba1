import { type Deleted, listAt } from './collection.ts'
import type * as model from './models.ts'
import { pathTo, type RequestOptions, type Transport } from './transport.ts'

/** Operations on the keys at a path. */
export const keysAt = (transport: Transport, path: string) => ({
  list: (query: model.ListKeysQuery = {}, more?: RequestOptions) =>
    listAt<model.Key>(transport, path, { ...query }, more),
  create: (body: model.KeyCreate, more?: RequestOptions) => transport.post<model.KeyFull>(path, body, more),
  revoke: (id: string, more?: RequestOptions) => transport.delete<Deleted<model.Key>>(path + pathTo(id), more),
  /** Creates a successor of a key; the old key expires after the overlap. */
  roll: (id: string, body?: model.KeyRoll, more?: RequestOptions) =>
    transport.post<model.KeyFull>(path + pathTo(id, 'roll'), body, more),
})
