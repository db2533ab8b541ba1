import type { ComponentChildren } from 'preact'
import { t } from '../app/language.ts'
import { Icon } from './icons.tsx'

/** A button that removes the object of its row. */
export const RemoveButton = ({ name, onClick }: { name: string; onClick: () => void }) => (
  <button type="button" class="quiet square danger-text" aria-label={name} onClick={onClick}>
    <Icon name="trash" />
  </button>
)

/** A table of a part of a screen, whose rows are read page by page. */
export function PlainRows<Item>(props: {
  name: string
  /** Headings of the columns; empty for the column of buttons. */
  head: readonly string[]
  /** Undefined until the first page has arrived. */
  items: readonly Item[] | undefined
  keyOf: (item: Item) => string
  /** Reads the next page; undefined on the last page. */
  more: (() => void) | undefined
  /** Shown instead of a table without rows. */
  none?: string
  /** Cells of a row. */
  children: (item: Item) => ComponentChildren
}) {
  const { shell, settings } = t()
  const { items } = props
  if (!items) return <p class="hint loading">{shell.loading}</p>
  if (items.length === 0 && props.none) return <p class="hint">{props.none}</p>
  return (
    <>
      <table class="plain-rows" aria-label={props.name}>
        <thead>
          <tr>
            {props.head.map((title) =>
              title ? (
                <th key={title} scope="col">
                  {title}
                </th>
              ) : (
                <td key={title} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={props.keyOf(item)}>{props.children(item)}</tr>
          ))}
        </tbody>
      </table>
      {props.more && (
        <button type="button" class="quiet" onClick={props.more}>
          {settings.more}
        </button>
      )}
    </>
  )
}
