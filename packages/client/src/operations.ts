import type { BatchOperation, BatchOptions, ResourcePath } from './bulk/batch.ts'
import { changesAt } from './bulk/changes.ts'
import { type ImportOptions, startImport } from './bulk/import.ts'
import { importsAt, testDataAt } from './bulk/imports.ts'
import { releasesAt } from './bulk/releases.ts'
import { callsAt, chargesAt, redemptionsAt, scansAt } from './checkout.ts'
import { type Deleted, type List, listAt } from './collection.ts'
import { createCollections } from './collections.ts'
import { invitationsAt } from './invitations.ts'
import { keysAt } from './keys.ts'
import type * as model from './models.ts'
import { type PictureOptions, uploadPicture } from './pictures.ts'
import { pathTo, type RequestOptions, type Transport } from './transport.ts'
import type { ListedEvent } from './webhook.ts'

/** The operations of the API of one merchant that send one request each. */
export function createOperations(transport: Transport, merchantId: string) {
  const at = (...segments: readonly string[]) => pathTo('merchants', merchantId, ...segments)
  const collections = createCollections(transport, at)
  const sendBatch = (
    operations: readonly object[],
    { mode = 'atomic', dryRun, objects }: BatchOptions = {},
    more?: RequestOptions,
  ) =>
    transport.read<model.BatchResults>({
      method: 'POST',
      path: at('batch'),
      query: { dryRun, return: objects ? 'objects' : undefined },
      body: { mode, operations },
      ...more,
    })
  const publish = (
    type: model.EventCreate['type'],
    data: object,
    { effects, ...more }: RequestOptions & Pick<model.EventCreate, 'effects'> = {},
  ) => transport.post<model.EventPublished>(at('events'), { type, data, ...(effects && { effects }) }, more)
  return {
    ...collections,
    /** Runs up to 500 operations, of any resources, as one request. */
    batch: (operations: readonly BatchOperation[], options?: BatchOptions, more?: RequestOptions) =>
      sendBatch(operations, options, more),
    changes: changesAt(transport, at),
    imports: importsAt(transport, at),
    releases: releasesAt(transport, at),
    testData: testDataAt(transport, at),
    /** Uploads a CSV or JSONL file and waits until it is checked, or applied with `apply`. A full export does not need a resource. */
    import: (resource: ResourcePath | undefined, data: Blob | string, options?: ImportOptions) =>
      startImport(transport, at('imports'), resource, data, options),
    products: {
      ...collections.products,
      /** Uploads a picture and appends it to `images`. */
      addImage: (id: string, image: Blob, options?: PictureOptions) =>
        uploadPicture(transport, at('products', id, 'images'), image, options),
      availability: (id: string, more?: RequestOptions) =>
        transport.get<model.Availability>(at('products', id, 'availability'), {}, more),
      /** Marks a product as sold out until a time in seconds, `tomorrow` or `further_notice`. */
      soldOut: (id: string, until: model.AvailabilityUpdate['until'] = 'further_notice', more?: RequestOptions) =>
        transport.post<model.Availability>(at('products', id, 'availability'), { soldOut: true, until }, more),
      /** Removes the mark as sold out. */
      available: (id: string, more?: RequestOptions) =>
        transport.post<model.Availability>(at('products', id, 'availability'), { soldOut: false }, more),
    },
    modifiers: {
      ...collections.modifiers,
      /** Returns which options of a modifier are sold out. */
      availability: (id: string, more?: RequestOptions) =>
        transport.get<model.OptionAvailability>(at('modifiers', id, 'availability'), {}, more),
      /** Marks options as sold out or available. Other options stay as they are. */
      setAvailability: (id: string, options: model.OptionAvailabilityUpdate['options'], more?: RequestOptions) =>
        transport.post<model.OptionAvailability>(at('modifiers', id, 'availability'), { options }, more),
    },
    customers: {
      ...collections.customers,
      /** Reads all stored data about a customer. */
      export: (id: string, more?: RequestOptions) =>
        transport.get<model.CustomerExport>(at('customers', id, 'export'), {}, more),
      /** Deletes a customer, and removes the person from all stored data. */
      erase: (id: string, more?: RequestOptions) =>
        transport.post<model.CustomerErasure>(at('customers', id, 'erase'), {}, more),
    },
    menus: {
      ...collections.menus,
      /** Uploads a picture and sets `branding.banner`. */
      setBanner: (id: string, image: Blob, options?: PictureOptions) =>
        uploadPicture(transport, at('menus', id, 'banner'), image, options),
      /** Uploads a picture and sets `branding.icon`. */
      setIcon: (id: string, image: Blob, options?: PictureOptions) =>
        uploadPicture(transport, at('menus', id, 'icon'), image, options),
    },
    tags: {
      ...collections.tags,
      /** Returns scans by day and channel, in the merchant's time zone. */
      scans: (id: string, range: model.ListScansQuery = {}, more?: RequestOptions) =>
        transport.get<model.ScanCount[]>(at('tags', id, 'scans'), { ...range }, more),
      /** Creates a short-lived link to the page that writes the tag's NFC chip with a phone. */
      nfcLink: (id: string, more?: RequestOptions) =>
        transport.post<{ url: string; expiresAt: number }>(at('tags', id, 'nfc-link'), {}, more),
      /** Returns a PDF of tags to print. */
      sheet: (query: model.PrintSheetPdfQuery = {}, more?: RequestOptions) =>
        transport.send({ method: 'GET', path: at('tags', 'sheet.pdf'), query: { ...query }, ...more }),
      /** Creates links to a sheet, as a page and as a PDF, that a browser can open for 15 minutes. */
      sheetLink: (body: model.SheetLinkCreate = {}, more?: RequestOptions) =>
        transport.post<{ url: string; pdfUrl: string; expiresAt: number }>(at('tags', 'sheet-link'), body, more),
    },
    coupons: {
      ...collections.coupons,
      /** Returns the limits of a coupon. */
      limits: (id: string, more?: RequestOptions) =>
        transport.get<model.CouponLimits>(at('coupons', id, 'limits'), {}, more),
      /** Sets the given limits of a coupon; `null` clears a limit. */
      setLimits: (id: string, limits: model.CouponLimitsUpdate, more?: RequestOptions) =>
        transport.post<model.CouponLimits>(at('coupons', id, 'limits'), limits, more),
      /** Makes single-use codes of a coupon. Pass an `idempotencyKey` to get the same batch if the program starts again. */
      createCodes: (id: string, codes: model.CouponCodesCreate, more?: RequestOptions) =>
        transport.post<model.CouponCodesMade>(at('coupons', id, 'codes'), codes, more),
      /** Lists the codes of a batch with their states. */
      codes: (id: string, query: model.ListCouponCodesQuery, more?: RequestOptions) =>
        listAt<model.CouponCode>(transport, at('coupons', id, 'codes'), { ...query }, more),
      /** Returns the codes of a batch as a CSV file. */
      codesCsv: (id: string, batch: string, more?: RequestOptions) =>
        transport.send({
          method: 'GET',
          path: at('coupons', id, 'codes'),
          query: { batch, format: 'csv' },
          accept: 'text/csv',
          ...more,
        }),
      /** Lists the batches of codes of a coupon, oldest first. */
      codeBatches: (id: string, more?: RequestOptions) =>
        transport.get<model.CouponCodeBatch[]>(at('coupons', id, 'codes', 'batches'), {}, more),
    },
    quotes: {
      /** Prices an order. Stores nothing. */
      create: (order: model.QuoteCreate, more?: RequestOptions) =>
        transport.post<model.Quote>(at('quotes'), order, more),
    },
    /** Charges for service, packaging and delivery. Requires the scopes `merchant:read` and `merchant:write`. */
    charges: chargesAt(transport, at),
    redemptions: redemptionsAt(transport, at),
    stock: {
      /** Changes the stock of products in one transaction, once for each reference. */
      adjust: (adjustment: model.StockAdjustment, more?: RequestOptions) =>
        transport.post<model.StockResult>(at('stock'), adjustment, more),
      /** Lists the products that are sold out, or low in stock. */
      list: (query: model.ListStockQuery = {}, more?: RequestOptions) =>
        listAt<model.StockException>(transport, at('stock'), { ...query }, more),
    },
    /** Guests at tables who call the staff or ask for the bill. */
    calls: callsAt(transport, at),
    service: {
      /** Returns whether the venue is paused, and how long orders take. */
      get: (more?: RequestOptions) => transport.get<model.ServiceState>(at('service'), {}, more),
      /** Pauses the venue until a time in seconds, until `tomorrow`, or until `resume`. */
      pause: (
        until?: model.ServiceStateUpdate['until'],
        fields: Pick<model.ServiceStateUpdate, 'message' | 'prepMinutes'> = {},
        more?: RequestOptions,
      ) => transport.post<model.ServiceState>(at('service'), { paused: true, until, ...fields }, more),
      /** Ends the pause. */
      resume: (more?: RequestOptions) => transport.post<model.ServiceState>(at('service'), { paused: false }, more),
      /** Sets the members of the body, for example only `prepMinutes`. */
      update: (body: model.ServiceStateUpdate, more?: RequestOptions) =>
        transport.post<model.ServiceState>(at('service'), body, more),
    },
    webhooks: {
      ...collections.webhooks,
      /** Returns the signing secret for `verifyWebhook`. */
      secret: (id: string, more?: RequestOptions) =>
        transport.get<{ secret: string }>(at('webhooks', id, 'secret'), {}, more),
      rotateSecret: (id: string, more?: RequestOptions) =>
        transport.post<{ secret: string }>(at('webhooks', id, 'secret', 'rotate'), {}, more),
      /** Returns which events a webhook gets, and with which fields. */
      filter: (id: string, more?: RequestOptions) =>
        transport.get<model.WebhookFilter>(at('webhooks', id, 'filter'), {}, more),
      /** Sets the given members of the filter; `null` clears a member. */
      setFilter: (id: string, filter: model.WebhookFilterUpdate, more?: RequestOptions) =>
        transport.post<model.WebhookFilter>(at('webhooks', id, 'filter'), filter, more),
      rotateToken: (id: string, more?: RequestOptions) =>
        transport.post<{ bearerToken: string }>(at('webhooks', id, 'token', 'rotate'), {}, more),
      deliveries: (id: string, query: model.ListDeliveriesQuery = {}, more?: RequestOptions) =>
        listAt<model.Delivery>(transport, at('webhooks', id, 'deliveries'), { ...query }, more),
      retry: (id: string, eventId: string, more?: RequestOptions) =>
        transport.post<object>(at('webhooks', id, 'deliveries', eventId, 'retry'), {}, more),
      /** Resends failed and cancelled deliveries since a time in seconds: at most 1,000 events, oldest first. */
      recover: (id: string, since: number, more?: RequestOptions) =>
        transport.post<{ recovered: number }>(at('webhooks', id, 'recover'), { since }, more),
      /** Sends a `webhook.test` event to the webhook. */
      test: (id: string, more?: RequestOptions) => transport.post<{ id: string }>(at('webhooks', id, 'test'), {}, more),
    },
    /** Settings of the merchant. Requires the scopes `merchant:read` and `merchant:write`. */
    merchant: {
      retrieve: (more?: RequestOptions) => transport.get<model.Merchant>(at(), {}, more),
      update: (fields: model.MerchantUpdate, more?: RequestOptions) =>
        transport.post<model.Merchant>(at(), fields, more),
      /** Uploads a picture and sets `logo`. */
      setLogo: (image: Blob, options?: PictureOptions) => uploadPicture(transport, at('logo'), image, options),
    },
    /** People who sign in to the console. Requires the scopes `members:read` and `members:write`. */
    members: {
      list: (query: model.ListMembersQuery = {}, more?: RequestOptions) =>
        listAt<model.Member>(transport, at('members'), { ...query }, more),
      retrieve: (id: string, more?: RequestOptions) => transport.get<model.Member>(at('members', id), {}, more),
      update: (id: string, body: model.MemberUpdate, more?: RequestOptions) =>
        transport.post<model.Member>(at('members', id), body, more),
      delete: (id: string, more?: RequestOptions) => transport.delete<Deleted<model.Member>>(at('members', id), more),
    },
    /** Invitations of new members. */
    invitations: invitationsAt(transport, at('invitations')),
    /** Keys of the merchant. Requires the scopes `keys:read` and `keys:write`. */
    keys: keysAt(transport, at('keys')),
    sessions: {
      /** Lists sessions of the console, newest first. */
      list: (query: model.ListSessionsQuery = {}, more?: RequestOptions) =>
        listAt<model.Session>(transport, at('sessions'), { ...query }, more),
      /** Ends a session within 60 seconds. */
      delete: (id: string, more?: RequestOptions) => transport.delete<Deleted<model.Session>>(at('sessions', id), more),
    },
    ...scansAt(transport, at('scans')),
    /** Creates an address that shows the hosted menu at a time: as it is stored, or after some operations. */
    preview: (body: model.PreviewCreate = {}, more?: RequestOptions) =>
      transport.post<model.Preview>(at('preview'), body, more),
    /** Lists the audit log of the last 90 days, newest first. */
    audit: (query: model.ListAuditEntriesQuery = {}, more?: RequestOptions) =>
      listAt<model.AuditEntry>(transport, at('audit'), { ...query }, more),
    /** Lists the failed requests of a key in the last 7 days, the latest first: by default those of the client's own key. */
    failedRequests: (query: model.ListFailedRequestsQuery = {}, more?: RequestOptions) =>
      transport.get<model.FailedRequest[]>(at('failed-requests'), { ...query }, more),
    orders: {
      /** Publishes `order.cancelled`, gives back the stock of the order and releases its redemptions, once. `reference` is that of the order. */
      cancel: (
        reference: string,
        { data = { reference }, ...more }: RequestOptions & { data?: object | undefined } = {},
      ) => publish('order.cancelled', data, { ...more, effects: { undo: reference } }),
      /** Publishes `order.updated`. With `effects`, makes the difference between them and those of the order `replace`, once for each `revision`. */
      update: (data: object, more?: RequestOptions & Pick<model.EventCreate, 'effects'>) =>
        publish('order.updated', data, more),
      /** Publishes `order.completed`. */
      complete: (data: object, more?: RequestOptions) => publish('order.completed', data, more),
    },
    events: {
      /** Publishes an order event to the webhooks. With `effects`, stock, redemptions and the event are written together or not at all. */
      publish,
      /** Lists events of the last 30 days, oldest first. To continue later, pass the id of the last event as `after`. */
      list: (query: model.ListEventsQuery = {}, more?: RequestOptions): List<ListedEvent> =>
        listAt(transport, at('events'), { ...query }, more),
    },
  }
}
