import type { Bindings } from '../../env.ts'
import { Database } from '../database.ts'
import { D1Connection } from './d1-connection.ts'
import type { MerchantReference } from './home.ts'
import { MerchantConnection } from './merchant-connection.ts'

/** The data of a merchant, in either kind of home. */
export const merchantDatabase = (env: Bindings, merchant: MerchantReference, bookmark?: string) =>
  new Database(env, new MerchantConnection(env, merchant, bookmark))

/** The directory: merchants, their homes and keys, and the names of all tags. */
export const directoryDatabase = (env: Bindings, bookmark?: string) =>
  new Database(env, new D1Connection(env.DB, bookmark))

/** The data of all merchants that have no object of their own. */
export const sharedDatabase = (env: Bindings) => new Database(env, new D1Connection(env.DB))
