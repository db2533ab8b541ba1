import { useEffect } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { useSorting } from '../../objects/editor/sorted-rows.tsx'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { DishEditor, prepareEditors } from '../dish-editor.tsx'
import { store } from './modifier-store.ts'
import { describeRule } from './rule-words.ts'

/** The modifiers: their options in order, and their rules in words. */
export default function Modifiers() {
  useEffect(prepareEditors, [])
  const { modifiers: texts, screens } = t()
  const sorting = useSorting(store, { title: ({ title }) => title, options: ({ options }) => options.length })
  return (
    <ObjectScreen
      root="/modifiers"
      name={screens.modifiers}
      scope="modifiers:write"
      store={store}
      parts={['modifiers']}
      texts={texts}
      arrange={sorting.arrange}
      head={[
        <th key="title" scope="col" aria-sort={sorting.stateOf('title')}>
          {sorting.button('title', texts.title)}
        </th>,
        <th key="rule" scope="col" class="wide-only">
          {texts.rule}
        </th>,
        <th key="options" scope="col" class="wide-only" aria-sort={sorting.stateOf('options')}>
          {sorting.button('options', texts.options)}
        </th>,
      ]}
      cells={({ item }, open) => (
        <>
          <TitleCell
            title={item.title}
            detail={
              <>
                <span class="wide-only">{item.instructions}</span>
                <span class="narrow-only">{describeRule(item)}</span>
              </>
            }
            onOpen={open}
          />
          <td class="wide-only">{describeRule(item)}</td>
          <td class="wide-only">
            <span class="clip">{item.options.map(({ label }) => label).join(', ') || texts.optionCount(0)}</span>
          </td>
        </>
      )}
      editor={(id, close) => <DishEditor key={id} kind="ModifierEditor" id={id} onClose={close} />}
    />
  )
}
