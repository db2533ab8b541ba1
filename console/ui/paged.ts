import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { List } from '../../packages/client/src/client.ts'
import { showError } from './toasts.tsx'

/**
 * A list that is read page by page. When `key` changes, it is read again, and the current rows stay until then. `isAllowed`: whether the session may
 * read it.
 */
export function usePages<Item>(
  list: (position: string | undefined) => Pick<List<Item>, 'page'>,
  key: string,
  isAllowed = true,
) {
  const items = useSignal<readonly Item[] | undefined>(undefined)
  const cursor = useSignal<string | undefined>(undefined)
  const run = useSignal(0)
  const read = async (position: string | undefined) => {
    const current = ++run.value
    try {
      let page = await list(position).page()
      // A page of a filtered list can be empty although more pages follow.
      while (page.items.length === 0 && page.cursor !== undefined && current === run.value)
        page = await list(page.cursor).page()
      if (current !== run.value) return
      items.value = [...(position === undefined ? [] : (items.value ?? [])), ...page.items]
      cursor.value = page.cursor
    } catch (error) {
      if (current === run.value) showError(error)
    }
  }
  const reload = async () => {
    if (isAllowed) await read(undefined)
  }
  useEffect(() => void reload(), [key])
  return {
    /** Undefined until the first page has arrived. */
    items,
    reload,
    /** Reads the next page; undefined on the last page. */
    more: cursor.value === undefined ? undefined : () => read(cursor.value),
  }
}
export type Pages<Item> = ReturnType<typeof usePages<Item>>
