import { ApiError, type RequestOptions } from '../../packages/client/src/client.ts'

/** An object with the entity tag of the state that is shown. */
export interface Row<Item> {
  item: Item
  etag: string
}

/** Reads the body of a response together with its entity tag. */
export async function withEtag<Item>(send: (options: RequestOptions) => Promise<Item>): Promise<Row<Item>> {
  let etag = ''
  const onResponse = ({ headers }: Response) => {
    etag = headers.get('etag') ?? ''
  }
  return { item: await send({ onResponse }), etag }
}

export interface Changed<Item> {
  /** The current object. */
  row: Row<Item>
  /** The object directly before the change, including changes by others. */
  before: Row<Item>
  /** Whether the object has the change. */
  isMine: boolean
}

/** Whether somebody else changed the object in between. */
export const isConflict = (error: unknown) => error instanceof ApiError && error.status === 412

/** Repeats a change until it succeeds, or until the person prefers the other version. */
export async function changeWithChoice<Item>(
  known: Row<Item>,
  change: (known: Row<Item>) => Promise<Row<Item>>,
  retrieve: () => Promise<Row<Item>>,
  choose: (theirs: Row<Item>) => Promise<'mine' | 'theirs'>,
): Promise<Changed<Item>> {
  for (let current = known; ; ) {
    try {
      return { row: await change(current), before: current, isMine: true }
    } catch (error) {
      if (!isConflict(error)) throw error
      current = await retrieve()
      if ((await choose(current)) === 'theirs') return { row: current, before: current, isMine: false }
    }
  }
}

/** Runs tasks with the same id in sequence, even after a failure. Tasks with different ids run in parallel. */
export function createQueue() {
  const last = new Map<string, Promise<unknown>>()
  return <Result>(id: string, task: () => Promise<Result>): Promise<Result> => {
    const result = (last.get(id) ?? Promise.resolve()).then(task, task)
    last.set(id, result)
    return result
  }
}

const isSameVersion = (one: string, other: string) => one.split('-')[0] === other.split('-')[0]

/** Remembers the results of own changes, so that they do not conflict with a later change of an older row. */
export function createChangeLog<Item extends { id: string }>() {
  const changes = new Map<string, { before: readonly string[]; row: Row<Item> }>()
  return {
    /** The row after own changes, without changes by others since it was shown. */
    follow(row: Row<Item>): Row<Item> {
      const last = changes.get(row.item.id)
      return last?.before.some((etag) => isSameVersion(etag, row.etag)) ? last.row : row
    },
    noteChange(before: Row<Item>, row: Row<Item>): void {
      const last = changes.get(row.item.id)
      const earlier = last && isSameVersion(last.row.etag, before.etag) ? last.before : []
      changes.set(row.item.id, { before: [...earlier, before.etag], row })
    },
  }
}
