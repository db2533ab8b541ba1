import { type Context, numberOf } from './command.ts'
import { parseFields } from './fields.ts'

const pageSize = 100

export const limitOption = { limit: { value: 'N', description: 'Prints the first N objects. Default: all' } } as const

/** The first items. */
async function* take(items: AsyncIterable<object>, count: number): AsyncGenerator<object> {
  let left = count
  for await (const item of items) {
    yield item
    if (--left === 0) return
  }
}

/** Prints a list, page by page, with the filters of the words. */
export async function printList(
  context: Context,
  read: (filter: object) => AsyncIterable<object>,
  { columns, words = context.words }: { columns?: readonly string[] | undefined; words?: readonly string[] } = {},
): Promise<void> {
  const limit = numberOf(context, 'limit')
  const items = read({ limit: Math.min(limit ?? pageSize, pageSize), ...(await parseFields(words)) })
  await context.output.list(limit === undefined ? items : take(items, limit), columns)
}
