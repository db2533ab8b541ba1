import { useEffect } from 'preact/hooks'
import { locale } from '../../app/language.ts'
import type { Row } from '../change.ts'
import type { Store } from '../store.ts'

/** Maximum number of rows that are loaded to be sorted. */
const maxSorted = 5_000

/**
 * The order of a list that a person chooses by its headings: ascending, descending, then that of the service. All rows are loaded first, because
 * the service returns them in its own order.
 */
export function useSorting<Item extends { id: string }, Body extends object, Name extends string>(
  store: Store<Item, Body>,
  values: Readonly<Record<Name, (item: Item) => string | number>>,
) {
  const { by, isDescending } = store.order.value ?? {}
  const [, read] = Object.entries<(item: Item) => string | number>(values).find(([name]) => name === by) ?? []
  const { compare } = new Intl.Collator(locale.value, { numeric: true })
  const sort = (rows: readonly Row<Item>[]) => {
    if (!read) return rows
    const sign = isDescending ? -1 : 1
    return rows.toSorted(({ item: a }, { item: b }) => {
      const [first, second] = [read(a), read(b)]
      return sign * (typeof first === 'number' ? first - Number(second) : compare(first, String(second)))
    })
  }
  useEffect(() => {
    if (read && store.rows.value.length < maxSorted) void store.loadMore()
  }, [by, store.rows.value])
  return {
    arrange: read && sort,
    /** Value of `aria-sort` of a heading. */
    stateOf: (name: Name) => (by !== name ? 'none' : isDescending ? 'descending' : 'ascending'),
    /** The button of a heading. */
    button: (name: Name, label: string) => (
      <button
        type="button"
        class="quiet sort"
        onClick={() => {
          const isNext = by === name
          store.order.value = isNext && isDescending ? undefined : { by: name, isDescending: isNext }
        }}
      >
        {label}
        {by === name && <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>}
      </button>
    ),
  }
}
