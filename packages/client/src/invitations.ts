import { type Deleted, listAt } from './collection.ts'
import type * as model from './models.ts'
import { pathTo, type RequestOptions, type Transport } from './transport.ts'

/** Operations on the invitations at a path. */
export const invitationsAt = (transport: Transport, path: string) => ({
  list: (query: model.ListInvitationsQuery = {}, more?: RequestOptions) =>
    listAt<model.Invitation>(transport, path, { ...query }, more),
  /** Returns a link that the invited person opens. It is returned once. */
  create: (body: model.InvitationCreate, more?: RequestOptions) =>
    transport.post<model.InvitationCreated>(path, body, more),
  revoke: (id: string, more?: RequestOptions) => transport.delete<Deleted<model.Invitation>>(path + pathTo(id), more),
})
