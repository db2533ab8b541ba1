import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { drafting, isPreparedScreen, isStarting, preparedRevision } from '../app/frame/prepared.ts'
import { useChanges } from '../app/frame/pulse.ts'
import { t } from '../app/language.ts'
import { navigate, path } from '../app/router.ts'
import { hasScope } from '../app/session.ts'
import { SearchField } from '../ui/controls.tsx'
import { Icon } from '../ui/icons.tsx'
import { RowWindow } from '../ui/row-window.tsx'
import type { Row } from './change.ts'
import { DeletedLink, DeletedObjects, deletedSegment } from './history/deleted-link.tsx'
import type { Store } from './store.ts'

interface ObjectScreenProps<Item, Body extends object> {
  /** Path of the screen. The segment below it is the id of the object that is open, or `new`. */
  root: string
  /** Name of the list. */
  name: string
  /** Scope that creating an object requires. */
  scope: string
  store: Store<Item, Body>
  /** Parts of the data whose changes by others the list follows. */
  parts: Parameters<typeof useChanges>[0]
  texts: {
    /** Label of the search. Absent: no search. */
    search?: string
    create: string
    none: string
    noneHint: string
    notFound: string
    count: (count: number | string) => string
  }
  /** Filters next to the search. */
  tools?: ComponentChildren
  isFiltered?: boolean
  /** Another order of the rows, once all are loaded. */
  arrange?: ((rows: readonly Row<Item>[]) => readonly Row<Item>[]) | undefined
  /** Cells of the head: `<th>`. */
  head: readonly ComponentChildren[]
  /** Cells of a row: `<td>`. */
  cells: (row: Row<Item>, open: () => void) => ComponentChildren
  /** Height of a row in `rem`, in a narrow and in a wide list. */
  rowRem?: { narrow: number; wide: number }
  /** Whether the editor replaces the list instead of covering it. */
  isPage?: boolean
  editor?: (id: string | undefined, close: () => void) => ComponentChildren
  children?: ComponentChildren
}

/** Whether the rows must stay as the person saw them: a field of one has the focus, some are selected, or a dialog asks about them. */
const isUsingRows = () =>
  document.activeElement?.matches('.rows input') === true ||
  document.querySelector('.rows td.tick input:checked, dialog[open]') !== null

/** A list of objects with its search, its empty states, and the editor of the object in the address. */
export function ObjectScreen<Item extends { id: string }, Body extends object>(props: ObjectScreenProps<Item, Body>) {
  const { root, name, scope, store, texts, head, cells, rowRem = { narrow: 4.5, wide: 3.5 } } = props
  const { shell } = t()
  const opened = path.value.slice(root.length + 1)
  // A release that is opened or left changes what the list shows.
  useEffect(() => void store.load(), [preparedRevision.value])
  useChanges(props.parts, store.refresh, isUsingRows)
  const isPartial = store.cursor.value !== undefined
  const list = props.arrange && !isPartial ? props.arrange(store.rows.value) : store.rows.value
  const state = store.state.value
  const isFiltered = props.isFiltered === true || store.search.value.trim() !== ''
  const isObject = opened !== '' && opened !== deletedSegment
  const editor = isObject && props.editor?.(opened === 'new' ? undefined : opened, () => navigate(root))
  if (props.isPage && editor) return editor
  return (
    <>
      <div class="tools">
        {texts.search !== undefined && (
          <SearchField label={texts.search} value={store.search.value} onInput={store.setSearch} />
        )}
        {props.tools}
        <span class="count" role="status">
          {state === 'loading' ? shell.loading : texts.count(isPartial ? `${list.length}+` : list.length)}
        </span>
        <DeletedLink root={root} scope={scope} />
        {isPreparedScreen(root) && hasScope('releases:write') && hasScope(scope) && !drafting.value && (
          <button type="button" class="link" onClick={() => (isStarting.value = true)}>
            {t().release.prepare}
          </button>
        )}
        {hasScope(scope) && (
          <button type="button" class="primary" data-shortcut="create" onClick={() => navigate(`${root}/new`)}>
            <Icon name="plus" />
            {texts.create}
          </button>
        )}
      </div>
      {state === 'failed' && list.length === 0 && (
        <p class="empty">
          <button type="button" class="quiet" onClick={store.load}>
            {shell.retry}
          </button>
        </p>
      )}
      {state === 'ready' && list.length === 0 && (
        <div class="empty">
          <p class="strong">{isFiltered ? texts.notFound : texts.none}</p>
          {!isFiltered && <p>{texts.noneHint}</p>}
        </div>
      )}
      {list.length > 0 && (
        <RowWindow
          name={name}
          count={list.length}
          isPartial={isPartial}
          rowRem={rowRem}
          keyOf={(index) => list[index]?.item.id ?? ''}
          onNearEnd={store.loadMore}
          head={head}
          renderRow={(index) => {
            const row = list[index]
            return row && cells(row, () => navigate(`${root}/${row.item.id}`))
          }}
        />
      )}
      <DeletedObjects root={root} scope={scope} onRestored={store.load} />
      {props.children}
      {editor}
    </>
  )
}

/** The cell that opens an object. */
export const TitleCell = (props: {
  title: string
  onOpen: () => void
  detail?: ComponentChildren
  isSoft?: boolean
  /** A picture before the title. */
  children?: ComponentChildren
}) => (
  <td class="object">
    {props.children}
    <span class={props.isSoft ? 'names soft' : 'names'}>
      <button type="button" class="open" onClick={props.onOpen}>
        {props.title}
      </button>
      {props.detail && <small>{props.detail}</small>}
    </span>
  </td>
)
