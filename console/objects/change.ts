import { ApiError, type RequestOptions } from '../../packages/client/src/client.ts'

/** An object with the entity tag of the state that is shown. */
export interface Row<Item> {
  item: Item
  etag: string
}

/** Reads what a request returns together with the entity tag of the response. */
export async function withEtag<Item>(send: (options: RequestOptions) => Promise<Item>): Promise<Row<Item>> {
  let etag = ''
  const onResponse = ({ headers }: Response) => {
    etag = headers.get('etag') ?? ''
  }
  return { item: await send({ onResponse }), etag }
}

export interface Changed<Item> {
  /** The object as it is now. */
  row: Row<Item>
  /** The object just before the change, with what others had changed. */
  before: Row<Item>
  /** Whether the object has the change. */
  isMine: boolean
}

/** Whether somebody else changed the object meanwhile. */
export const isConflict = (error: unknown) => error instanceof ApiError && error.status === 412

/** Repeats a change until it is made, or the person prefers the version of somebody else. */
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

/** Runs tasks with the same id one after the other, also after one that fails. Tasks with different ids run at once. */
export function createQueue() {
  const last = new Map<string, Promise<unknown>>()
  return <Result>(id: string, task: () => Promise<Result>): Promise<Result> => {
    const result = (last.get(id) ?? Promise.resolve()).then(task, task)
    last.set(id, result)
    return result
  }
}

const isSameVersion = (one: string, other: string) => one.split('-')[0] === other.split('-')[0]

/** Remembers what own changes made of objects, so that a row that was shown before is changed without a conflict with them. */
export function createChangeLog<Item extends { id: string }>() {
  const changes = new Map<string, { before: readonly string[]; row: Row<Item> }>()
  return {
    /** The row as own changes left it, without what others changed since it was shown. */
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
