import { useSignal } from '@preact/signals'
import { locale } from '../../app/language.ts'
import type { Row } from '../change.ts'
import type { Store } from '../store.ts'

/** Maximum number of rows that are loaded to be sorted. */
const maxSorted = 5_000

interface Order<Name extends string> {
  by: Name
  isDescending: boolean
}

/**
 * The order of a list that a person chooses by its headings: ascending, descending, then that of the service. All rows are loaded first, because
 * the service returns them in its own order.
 */
export function useSorting<Item extends { id: string }, Body extends object, Name extends string>(
  store: Store<Item, Body>,
  values: Readonly<Record<Name, (item: Item) => string | number>>,
) {
  const order = useSignal<Order<Name> | undefined>(undefined)
  const { by, isDescending = false } = order.value ?? {}
  const { compare } = new Intl.Collator(locale.value, { numeric: true })
  const sort = (rows: readonly Row<Item>[]) => {
    if (by === undefined) return rows
    const read = values[by]
    const sign = isDescending ? -1 : 1
    return rows.toSorted(({ item: a }, { item: b }) => {
      const [first, second] = [read(a), read(b)]
      return sign * (typeof first === 'number' ? first - Number(second) : compare(first, String(second)))
    })
  }
  const choose = async (name: Name) => {
    order.value =
      by !== name ? { by: name, isDescending: false } : isDescending ? undefined : { by: name, isDescending: true }
    for (let count = -1; store.cursor.value !== undefined && store.rows.value.length < maxSorted; ) {
      if (store.rows.value.length === count) break
      count = store.rows.value.length
      await store.loadMore()
    }
  }
  return {
    arrange: by === undefined ? undefined : sort,
    /** Value of `aria-sort` of a heading. */
    stateOf: (name: Name) => (by !== name ? 'none' : isDescending ? 'descending' : 'ascending'),
    /** The button of a heading. */
    button: (name: Name, label: string) => (
      <button type="button" class="quiet sort" onClick={() => void choose(name)}>
        {label}
        {by === name && <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>}
      </button>
    ),
  }
}
