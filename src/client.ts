import { collectionAt, type Deleted, type List, listAt } from './client/collection.ts'
import { createCollections } from './client/collections.ts'
import type * as model from './client/models.ts'
import { type ClientOptions, pathTo, type RequestOptions, Transport } from './client/transport.ts'
import type { ListedEvent } from './client/webhook.ts'

export { ApiError, ConnectionError } from './client/client-errors.ts'
export type { Collection, Deleted, List, Page } from './client/collection.ts'
export type * from './client/models.ts'
export type { ClientOptions, RequestOptions } from './client/transport.ts'
export { type ListedEvent, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './client/webhook.ts'

/** Creates a client for the API of one merchant. Every method throws `ApiError` or `ConnectionError` on failure. */
export function createClient({ merchantId, ...options }: ClientOptions & { merchantId: string }) {
  const transport = new Transport(options)
  const at = (...segments: readonly string[]) => pathTo('merchants', merchantId, ...segments)
  const get = <Answer>(path: string, query = {}, more?: RequestOptions) =>
    transport.read<Answer>({ method: 'GET', path, query, ...more })
  const post = <Answer>(path: string, body = {}, more?: RequestOptions) =>
    transport.read<Answer>({ method: 'POST', path, body, ...more })

  const collections = createCollections(transport, at)
  return {
    ...collections,
    tags: {
      ...collections.tags,
      /** Returns scans by day and channel, in the merchant's time zone. */
      scans: (id: string, range: model.ListScansQuery = {}, more?: RequestOptions) =>
        get<model.ScanCount[]>(at('tags', id, 'scans'), range, more),
      /** Creates a short-lived link to the page that writes the tag's NFC chip with a phone. */
      nfcLink: (id: string, more?: RequestOptions) =>
        post<{ url: string; expiresAt: number }>(at('tags', id, 'nfc-link'), {}, more),
      /** Returns a PDF of tags to print. */
      sheet: (query: model.PrintSheetPdfQuery = {}, more?: RequestOptions) =>
        transport.send({ method: 'GET', path: at('tags', 'sheet.pdf'), query: { ...query }, ...more }),
    },
    webhooks: {
      ...collections.webhooks,
      /** Returns the signing secret for `verifyWebhook`. */
      secret: (id: string, more?: RequestOptions) => get<{ secret: string }>(at('webhooks', id, 'secret'), {}, more),
      rotateSecret: (id: string, more?: RequestOptions) =>
        post<{ secret: string }>(at('webhooks', id, 'secret', 'rotate'), {}, more),
      rotateToken: (id: string, more?: RequestOptions) =>
        post<{ bearerToken: string }>(at('webhooks', id, 'token', 'rotate'), {}, more),
      deliveries: (id: string, query: model.ListDeliveriesQuery = {}, more?: RequestOptions) =>
        listAt<model.Delivery>(transport, at('webhooks', id, 'deliveries'), { ...query }, more),
      retry: (id: string, eventId: string, more?: RequestOptions) =>
        post<object>(at('webhooks', id, 'deliveries', eventId, 'retry'), {}, more),
      /** Resends failed and cancelled deliveries since a time in seconds: at most 1,000 events, oldest first. */
      recover: (id: string, since: number, more?: RequestOptions) =>
        post<{ recovered: number }>(at('webhooks', id, 'recover'), { since }, more),
      /** Sends a `webhook.test` event to the webhook. */
      test: (id: string, more?: RequestOptions) => post<{ id: string }>(at('webhooks', id, 'test'), {}, more),
    },
    /** Lists the audit log of the last 90 days, newest first. */
    audit: (query: model.ListAuditEntriesQuery = {}, more?: RequestOptions) =>
      listAt<model.AuditEntry>(transport, at('audit'), { ...query }, more),
    events: {
      /** Publishes an order event to the webhooks. */
      publish: (type: 'order.created', data: object, more?: RequestOptions) =>
        post<{ id: string }>(at('events'), { type, data }, more),
      /** Lists events of the last 30 days, oldest first. To continue later, pass the id of the last event as `after`. */
      list: (query: model.ListEventsQuery = {}, more?: RequestOptions): List<ListedEvent> =>
        listAt(transport, at('events'), { ...query }, more),
    },
  }
}
export type Client = ReturnType<typeof createClient>

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
