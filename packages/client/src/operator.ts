import { collectionAt, type Deleted, listAt } from './collection.ts'
import { invitationsAt } from './invitations.ts'
import { keysAt } from './keys.ts'
import type * as model from './models.ts'
import { type ClientOptions, pathTo, type RequestOptions, Transport } from './transport.ts'

/** Creates a client for the operator API; `key` is the operator token or a platform key. */
export function createOperator(options: ClientOptions) {
  const transport = new Transport(options)
  const merchants = collectionAt<model.MerchantCreate, model.MerchantUpdate, model.ListMerchantsQuery, model.Merchant>(
    transport,
    '/admin/merchants',
  )
  const operators = collectionAt<
    model.OperatorCreate,
    model.OperatorUpdate,
    model.ListOperatorsQuery,
    model.OperatorPerson,
    model.OperatorPerson,
    model.OperatorInvited
  >(transport, '/admin/operators')
  const at = (...segments: readonly string[]) => pathTo('admin', 'merchants', ...segments)
  const change = (id: string, to: string, more?: RequestOptions, body?: object) =>
    transport.post<model.Merchant>(at(id, to), body, more)
  const keysOf = (merchantId: string) => keysAt(transport, at(merchantId, 'keys'))
  const invitationsOf = (merchantId: string) => invitationsAt(transport, at(merchantId, 'invitations'))
  return {
    merchants: {
      create: merchants.create,
      retrieve: merchants.retrieve,
      update: merchants.update,
      list: merchants.list,
      usage: (id: string, more?: RequestOptions) => transport.get<model.Usage>(at(id, 'usage'), {}, more),
      /** Rejects the keys of a merchant and shows guests a notice, until `resume`. */
      suspend: (id: string, more?: RequestOptions) => change(id, 'suspend', more),
      resume: (id: string, more?: RequestOptions) => change(id, 'resume', more),
      /** Suspends a merchant whose data is deleted after the grace period (30 days by default), unless it is reopened. */
      close: (id: string, more?: RequestOptions & { graceDays?: number }) => {
        const { graceDays, ...options } = more ?? {}
        return change(id, 'close', options, { graceDays })
      },
      reopen: (id: string, more?: RequestOptions) => change(id, 'reopen', more),
      /** Starts to move the data of a merchant to another home. */
      move: (id: string, body: model.MoveCreate, more?: RequestOptions) =>
        transport.post<model.Move>(at(id, 'move'), body, more),
      /** The last move of a merchant. */
      retrieveMove: (id: string, more?: RequestOptions) => transport.get<model.Move>(at(id, 'move'), {}, more),
      /** Restores the data of a merchant to an earlier time. The home of the merchant must be an object. All later writes are lost. */
      recover: (id: string, body: { at: number }, more?: RequestOptions) =>
        transport.post<model.MerchantRecovery>(at(id, 'recover'), body, more),
    },
    /** Failing webhooks of all merchants. A page has those of `limit` merchants, and may be empty. */
    failingWebhooks: {
      list: (query: model.ListFailingWebhooksQuery = {}, more?: RequestOptions) =>
        listAt<model.FailingWebhook>(transport, '/admin/failing-webhooks', { ...query }, more),
    },
    /** Replaces the data of a merchant with a backup. Wait for `waitSeconds`, then call `continue` until the state is `done`. */
    restores: {
      create: (merchantId: string, body: { takenAt: number; replace?: boolean }, more?: RequestOptions) =>
        transport.post<model.Restore>(at(merchantId, 'restore'), body, more),
      continue: (merchantId: string, more?: RequestOptions) =>
        transport.post<model.Restore>(at(merchantId, 'restore', 'continue'), {}, more),
      retrieve: (merchantId: string, more?: RequestOptions) =>
        transport.get<model.Restore>(at(merchantId, 'restore'), {}, more),
    },
    /** Invitations of members: the first owner of a merchant is invited by the operator. */
    invitations: {
      list: (merchantId: string, query?: model.ListInvitationsQuery, more?: RequestOptions) =>
        invitationsOf(merchantId).list(query, more),
      create: (merchantId: string, body: model.InvitationCreate, more?: RequestOptions) =>
        invitationsOf(merchantId).create(body, more),
      revoke: (merchantId: string, id: string, more?: RequestOptions) => invitationsOf(merchantId).revoke(id, more),
    },
    backups: {
      list: (merchantId: string, more?: RequestOptions) =>
        transport.get<model.Backup[]>(at(merchantId, 'backups'), {}, more),
      create: (merchantId: string, more?: RequestOptions) =>
        transport.post<model.Backup>(at(merchantId, 'backups'), {}, more),
    },
    /** People who operate the service. `create` and `invite` return a link with which the person creates a passkey. */
    operators: {
      create: operators.create,
      retrieve: operators.retrieve,
      update: operators.update,
      list: operators.list,
      delete: operators.delete,
      invite: (id: string, more?: RequestOptions) =>
        transport.post<model.OperatorInvited>(`/admin/operators${pathTo(id, 'invitation')}`, {}, more),
    },
    /** Keys of the operator's programs. A client whose `key` is one of them may only use what its scopes allow. */
    platformKeys: {
      list: (query: model.ListPlatformKeysQuery = {}, more?: RequestOptions) =>
        listAt<model.PlatformKey>(transport, '/admin/keys', { ...query }, more),
      create: (body: model.PlatformKeyCreate, more?: RequestOptions) =>
        transport.post<model.PlatformKeyFull>('/admin/keys', body, more),
      revoke: (id: string, more?: RequestOptions) =>
        transport.delete<Deleted<model.PlatformKey>>(`/admin/keys${pathTo(id)}`, more),
    },
    /** Sessions of operators in the console. */
    sessions: {
      list: (more?: RequestOptions) => transport.get<model.OperatorSession[]>('/admin/sessions', {}, more),
      delete: (id: string, more?: RequestOptions) =>
        transport.delete<Deleted<model.OperatorSession>>(`/admin/sessions${pathTo(id)}`, more),
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
/** Client that `createOperator` returns. */
export type Operator = ReturnType<typeof createOperator>
