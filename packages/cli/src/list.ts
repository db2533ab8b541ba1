import { type Context, numberOf, readCount } from './command.ts'
import { UsageError } from './errors/usage-error.ts'
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

/** Prints a list, page by page, with the filters of the words. The word `limit=N` means the option. */
export async function printList(
  context: Context,
  read: (filter: object) => AsyncIterable<object>,
  { columns, words = context.words }: { columns?: readonly string[] | undefined; words?: readonly string[] } = {},
): Promise<void> {
  const { limit: typed, ...filters } = await parseFields(words)
  const option = numberOf(context, 'limit')
  if (typed !== undefined && option !== undefined) throw new UsageError('Use either --limit or limit=, not both.')
  const limit = typed === undefined ? option : readCount(String(typed), 'limit')
  const items = read({ ...filters, limit: Math.min(limit ?? pageSize, pageSize) })
  await context.output.list(limit === undefined ? items : take(items, limit), columns)
}
