import { listAt } from '../collection.ts'
import type * as model from '../models.ts'
import type { RequestOptions, Transport } from '../transport.ts'

/** Change sets: changes that were made together. */
export const changesAt = (transport: Transport, at: (...segments: readonly string[]) => string) => ({
  /** Lists the change sets of the last 30 days, newest first. */
  list: (query: model.ListChangeSetsQuery = {}, more?: RequestOptions) =>
    listAt<model.ChangeSet>(transport, at('changes'), { ...query }, more),
  /** Returns a change set with a page of its objects before and after. */
  retrieve: (id: string, query: model.RetrieveChangeSetQuery = {}, more?: RequestOptions) =>
    transport.get<model.ChangeSetObjects>(at('changes', id), { ...query }, more),
  /** Returns what `undo` would change, and what would stay. */
  planUndo: (id: string, more?: RequestOptions) =>
    transport.read<model.UndoPlan>({
      method: 'POST',
      path: at('changes', id, 'undo'),
      query: { dryRun: true },
      ...more,
    }),
  /** Undoes a change set where nobody has changed its objects since. A large one is `undoing` until it is `done`. */
  undo: (id: string, more?: RequestOptions) => transport.post<model.Undo>(at('changes', id, 'undo'), {}, more),
})
