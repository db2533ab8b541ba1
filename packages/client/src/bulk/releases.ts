import { listAt } from '../collection.ts'
import type * as model from '../models.ts'
import type { RequestOptions, Transport } from '../transport.ts'

type At = (...segments: readonly string[]) => string

/** Releases: changes that are prepared, and published together. */
export const releasesAt = (transport: Transport, at: At) => {
  const send = <Result>(id: string, part: string, body: object, more?: RequestOptions) =>
    transport.post<Result>(at('releases', id, part), body, more)
  return {
    create: (release: model.ReleaseCreate, more?: RequestOptions) =>
      transport.post<model.ReleaseDraft>(at('releases'), release, more),
    retrieve: (id: string, more?: RequestOptions) => transport.get<model.Release>(at('releases', id), {}, more),
    list: (query: model.ListReleasesQuery = {}, more?: RequestOptions) =>
      listAt<model.Release>(transport, at('releases'), { ...query }, more),
    /** Changes title, note or `publishAt`. */
    update: (id: string, release: model.ReleaseUpdate, more?: RequestOptions) =>
      transport.post<model.Release>(at('releases', id), release, more),
    /** Adds operations, up to 500 at once. */
    add: (id: string, operations: model.ReleaseChanges['operations'], more?: RequestOptions) =>
      send<model.ReleaseDraft>(id, 'operations', { operations }, more),
    operations: (id: string, query: model.ListReleaseOperationsQuery = {}, more?: RequestOptions) =>
      listAt<model.ReleaseOperation>(transport, at('releases', id, 'operations'), { ...query }, more),
    /** Removes the operation on an object. */
    remove: (id: string, object: string, more?: RequestOptions) =>
      transport.delete<model.Release>(at('releases', id, 'operations', object), more),
    /** Returns the changes of a release, its errors and its conflicts. */
    check: (id: string, more?: RequestOptions) => send<model.ReleaseCheck>(id, 'check', {}, more),
    /** Signs an address of the hosted menu after the release. */
    preview: (id: string, body: model.ReleasePreviewCreate = {}, more?: RequestOptions) =>
      send<model.ReleasePreview>(id, 'preview-link', body, more),
    publish: (id: string, body: model.ReleasePublication = {}, more?: RequestOptions) =>
      send<model.Release>(id, 'publish', body, more),
    cancel: (id: string, more?: RequestOptions) => send<model.Release>(id, 'cancel', {}, more),
  }
}
