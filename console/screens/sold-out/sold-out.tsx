import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useChanges } from '../../app/frame/pulse.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { describeUntil, soldOut } from '../../objects/stock/sold-out.ts'
import { Choice, SearchField, Switch } from '../../ui/controls.tsx'
import { RowWindow } from '../../ui/row-window.tsx'
import { Calls } from '../today/calls.tsx'
import { PauseNote } from '../today/pause.tsx'
import { Options } from './options.tsx'
import {
  cursor,
  type Entry,
  entries,
  load,
  loadMore,
  search,
  setSearch,
  setSoldOut,
  state,
  type Until,
} from './sold-out-store.ts'
import { WaitingNote } from './waiting-note.tsx'

const shown = keep<'products' | 'options'>('sold out', 'products')

/** One tap marks a product as sold out, or available. */
export default function SoldOut() {
  const { soldOut: texts, screens, shell, product, modifiers } = t()
  const until = useSignal<Until>('tomorrow')
  useEffect(() => void load(), [])
  // Other people mark products too.
  useChanges(['stock', 'products'], load)
  const mayWrite = hasScope('stock:write')
  const list = entries.value
  const cells = ({ id, title }: Entry) => {
    const mark = soldOut.value.get(id)
    const isOut = mark?.soldOut ?? false
    return (
      <td class="whole">
        <Switch
          name={title}
          isOn={isOut}
          disabled={!mayWrite}
          onChange={(isOn) => void setSoldOut({ id, title }, isOn, until.value)}
        >
          <span class="names">
            <span class="title">{title}</span>
            {isOut && <small>{describeUntil(mark?.until, isOut)}</small>}
          </span>
        </Switch>
      </td>
    )
  }
  return (
    <div class="narrow">
      <Calls />
      <PauseNote />
      <WaitingNote onSent={() => void load()} />
      <div class="tools">
        {shown.value === 'products' && <SearchField label={texts.search} value={search.value} onInput={setSearch} />}
        {hasScope('modifiers:read') && (
          <Choice
            legend={texts.show}
            value={shown.value}
            options={[
              ['products', screens.products],
              ['options', modifiers.options],
            ]}
            onChange={(value) => {
              shown.value = value
            }}
          />
        )}
        <Choice
          legend={texts.until}
          value={until.value}
          options={[
            ['tomorrow', texts.tomorrow],
            ['further_notice', texts.furtherNotice],
          ]}
          onChange={(value) => {
            until.value = value
          }}
        />
      </div>
      {shown.value === 'options' ? (
        <Options until={until.value} describe={(end) => describeUntil(end, false)} />
      ) : (
        <>
          <p class="hint" role="status">
            {state.value === 'loading'
              ? shell.loading
              : soldOut.value.size === 0
                ? state.value === 'ready' && list.length > 0 && texts.nothingSold
                : `${texts.sold}: ${soldOut.value.size}`}
          </p>
          {state.value === 'failed' && (
            <p class="empty">
              <button type="button" onClick={load}>
                {shell.retry}
              </button>
            </p>
          )}
          {state.value === 'ready' && list.length === 0 && (
            <p class="empty">{search.value.trim() === '' ? product.none : product.notFound}</p>
          )}
          {list.length > 0 && (
            <RowWindow
              name={screens.soldOut}
              count={list.length}
              isPartial={cursor.value !== undefined}
              rowRem={{ narrow: 4.5, wide: 4.5 }}
              keyOf={(index) => list[index]?.id ?? ''}
              onNearEnd={loadMore}
              renderRow={(index) => {
                const entry = list[index]
                return entry && cells(entry)
              }}
            />
          )}
        </>
      )}
    </div>
  )
}
