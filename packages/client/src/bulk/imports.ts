import { type List, listAt } from '../collection.ts'
import type * as model from '../models.ts'
import type { RequestOptions, Transport } from '../transport.ts'
import type { ResourcePath } from './batch.ts'
import { awaitImport, type ImportOptions } from './import.ts'

/** The operations of imports that were uploaded. */
export const importsAt = (transport: Transport, at: (...segments: readonly string[]) => string) => ({
  retrieve: (id: string, more?: RequestOptions) => transport.get<model.Import>(at('imports', id), {}, more),
  list: (more?: RequestOptions): List<model.Import> => listAt(transport, at('imports'), {}, more),
  /** Lists the issues of the rows. */
  errors: (id: string, more?: RequestOptions) =>
    listAt<model.ImportIssue>(transport, at('imports', id, 'errors'), {}, more),
  /** Chooses what columns become, answers the questions of a file, and waits until it is checked again. */
  async map(id: string, mapping: model.ImportMapping, options: Pick<ImportOptions, 'onProgress' | 'signal'> = {}) {
    const mapped = await transport.post<model.Import>(at('imports', id, 'mapping'), mapping, {
      signal: options.signal,
    })
    options.onProgress?.(mapped)
    return awaitImport(transport, at('imports', id), options)
  },
  /** Lists the objects as they will be written. */
  preview: (id: string, filters: { resource?: ResourcePath; limit?: number } = {}, more?: RequestOptions) =>
    listAt<model.ImportPreview>(transport, at('imports', id, 'preview'), filters, more),
  /** Lists the objects that applying will delete. */
  deletions: (id: string, filters: { resource?: ResourcePath; limit?: number } = {}, more?: RequestOptions) =>
    listAt<model.ImportDeletion>(transport, at('imports', id, 'deletions'), filters, more),
  /** Applies a checked import and waits until it is done. Throws `confirm_required` if it deletes more than `confirmDeletes`. */
  async apply(
    id: string,
    { onProgress, signal, ...body }: Pick<ImportOptions, 'onProgress' | 'signal'> & model.ImportApplication = {},
  ) {
    const accepted = await transport.post<model.Import>(at('imports', id, 'apply'), body, { signal })
    onProgress?.(accepted)
    return awaitImport(transport, at('imports', id), { onProgress, signal })
  },
  cancel: (id: string, more?: RequestOptions) => transport.post<model.Import>(at('imports', id, 'cancel'), {}, more),
})

/** Data of test mode. */
export const testDataAt = (transport: Transport, at: (...segments: readonly string[]) => string) => ({
  /** Copies the catalogue of live mode into test mode, in the background. Needs a live key. */
  copy: (more?: RequestOptions) => transport.post<model.Import>(at('test-data'), { from: 'live' }, more),
  /** Returns the last copy. */
  retrieve: (more?: RequestOptions) => transport.get<model.Import>(at('test-data'), {}, more),
})
