import type { ListedObject, ResourcePath, UpsertFields } from './bulk/batch.ts'
import { startExport } from './bulk/export.ts'
import { type Identified, type SyncOptions, sync } from './bulk/sync-catalogue.ts'
import { listAt } from './collection.ts'
import { type FollowOptions, followEvents } from './follow-events.ts'
import type * as model from './models.ts'
import { createOperations } from './operations.ts'
import { type ClientOptions, pathTo, type RequestOptions, Transport } from './transport.ts'
import type { ListedEvent } from './webhook.ts'

export type {
  BatchOperation,
  BatchOptions,
  ObjectReference,
  ResourcePath,
} from './bulk/batch.ts'
export { maxBatchBytes, maxBatchOperations, toBatches } from './bulk/batch.ts'
export type { Export, ExportedObject, ExportHeader } from './bulk/export.ts'
export type { ImportOptions } from './bulk/import.ts'
export type { SyncOptions, SyncResult } from './bulk/sync-catalogue.ts'
export { ApiError, ConnectionError } from './client-errors.ts'
export type { Collection, Deleted, List, Page, Restorable, RestoreResult } from './collection.ts'
export { resourcePaths } from './collections.ts'
export type { FollowOptions } from './follow-events.ts'
export type * from './models.ts'
export { createOperator, type Operator } from './operator.ts'
export type { PictureOptions } from './pictures.ts'
export type { ClientOptions, RequestOptions } from './transport.ts'
export { type ListedEvent, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhook.ts'

type MerchantOptions = ClientOptions & { merchantId: string }

/** A client without bulk operations, `upsert` and `events.follow`: about 1 KB smaller for browsers. */
export const createBaseClient = ({ merchantId, ...options }: MerchantOptions): BaseClient =>
  createOperations(new Transport(options), merchantId)
/** Client that `createBaseClient` returns. */
export interface BaseClient extends ReturnType<typeof createOperations> {}

/** The operations that send several requests, or one for an object of each resource. */
function createBulkOperations(transport: Transport, merchantId: string, operations: BaseClient) {
  const at = (...segments: readonly string[]) => pathTo('merchants', merchantId, ...segments)
  return {
    /** Creates the object with an external id, or updates it. Required fields can be omitted if it exists. */
    upsert: <Path extends ResourcePath>(
      resource: Path,
      externalId: string,
      body: UpsertFields<Path>,
      more?: RequestOptions,
    ) =>
      transport.read<ListedObject<Path>>({
        method: 'PUT',
        path: `${at(resource, 'external')}/${encodeURIComponent(externalId)}`,
        body,
        ...more,
      }),
    /** Reads all objects of some or all resources as one stream. */
    export: <Path extends ResourcePath = ResourcePath>(resources?: readonly Path[], more?: RequestOptions) =>
      startExport(transport, at('export'), resources, more),
    /** Makes a resource equal to the rows of a source system. Sends batches of the rows that differ. */
    syncCatalogue: <Row extends object, Path extends ResourcePath>(
      rows: Iterable<Row>,
      options: SyncOptions<Row, Path>,
      more?: RequestOptions,
    ) =>
      sync(
        rows,
        options,
        (resource) =>
          listAt<Identified<ListedObject<Path>>>(
            transport,
            at(resource),
            { include: 'externalId,version', limit: 100 },
            more,
          ),
        (body) =>
          transport.read<model.BatchResults>({
            method: 'POST',
            path: at('batch'),
            body: { mode: 'independent', operations: body },
            ...more,
          }),
      ),
    events: {
      ...operations.events,
      /**
       * Yields events as they happen, and waits for the next ones. To resume later, pass the id of the last processed event as `after`.
       * Ends only if `signal` aborts; throws `events_expired` if events after `after` may be missing.
       */
      follow: ({ types, ...options }: FollowOptions<ListedEvent['type']> = {}) =>
        followEvents(
          (position) => listAt<ListedEvent>(transport, at('events'), { ...position, types }, options).page(),
          options,
        ),
    },
  }
}
/** Client that `createClient` returns. */
export interface Client extends Omit<BaseClient, 'events'>, ReturnType<typeof createBulkOperations> {}

/** Creates a client for the API of one merchant. Every method throws `ApiError` or `ConnectionError` on failure. */
export function createClient({ merchantId, ...options }: MerchantOptions): Client {
  const transport = new Transport(options)
  const operations = createOperations(transport, merchantId)
  return { ...operations, ...createBulkOperations(transport, merchantId, operations) }
}
