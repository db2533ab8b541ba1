import { useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { path } from '../../app/router.ts'
import { hasScope, isSupport } from '../../app/session.ts'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { useSoldOut } from '../../objects/stock/sold-out.ts'
import { Switch } from '../../ui/controls.tsx'
import { MoveButtons } from '../../ui/sortable.tsx'
import { DayBar } from './day-bar.tsx'
import { MenuEditor } from './menu-editor.tsx'
import { describeTimes, toForm } from './menu-form.ts'
import { moveMenu, setVisible, store } from './menu-store.ts'
import { Preview } from './preview.tsx'

/** The menus in the order for guests, the editor of a menu, and a preview of the saved state. */
export default function Menus() {
  const { menus: texts, screens, action } = t()
  const mayWrite = hasScope('menus:write')
  const opened = path.value.split('/').find((part) => part.startsWith('menu_'))
  const isEditing = opened !== undefined || path.value === '/menus/new'
  useSoldOut()
  // A position in a filtered list differs from that among all menus. The search results stay until all menus are listed again.
  const found = useRef<typeof store.rows.value>([])
  if (store.search.value.trim() !== '') found.current = store.rows.value
  const mayMove = mayWrite && store.rows.value !== found.current && store.cursor.value === undefined
  return (
    <div class="with-aside wide">
      <div>
        <ObjectScreen
          root="/menus"
          name={screens.menus}
          scope="menus:write"
          store={store}
          parts={['menus']}
          texts={texts}
          isPage
          head={[
            <th key="title" scope="col">
              {texts.title}
            </th>,
            <th key="when" scope="col" class="wide-only">
              {texts.when}
            </th>,
            <th key="order" scope="col" class="order">
              {texts.order}
            </th>,
            <th key="visible" scope="col" class="toggle">
              {texts.column}
            </th>,
          ]}
          cells={(row, open) => {
            const { item } = row
            const form = toForm(item)
            const times = describeTimes(form, item.details)
            const index = store.rows.value.findIndex((each) => each.item.id === item.id)
            const count = item.sections.reduce((sum, { items }) => sum + items.length, 0)
            return (
              <>
                <TitleCell title={item.title} detail={texts.productCount(count)} isSoft={!item.visible} onOpen={open} />
                <td class="wide-only">
                  <small>{times}</small>
                  <DayBar isAllDay={form.allDayMenu} begin={form.begin} end={form.end} />
                </td>
                <td class="order">
                  {mayMove && (
                    <MoveButtons
                      index={index}
                      count={store.rows.value.length}
                      names={{ up: action.up(item.title), down: action.down(item.title) }}
                      onMove={(from, to) => void moveMenu(item.title, from, to)}
                    />
                  )}
                </td>
                <td class="toggle">
                  <Switch
                    name={texts.visibleOf(item.title)}
                    isOn={item.visible}
                    disabled={!mayWrite}
                    onChange={(isOn) => void setVisible(row, isOn)}
                  />
                </td>
              </>
            )
          }}
          editor={(id, close) => <MenuEditor key={id} id={id} onClose={close} />}
        />
      </div>
      {/* Placed after the list, which would otherwise push it down. */}
      {store.state.value !== 'loading' && !isSupport() && <Preview menu={opened} isEditing={isEditing} />}
    </div>
  )
}
