import { t } from '../../app/language.ts'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { ModifierEditor } from './modifier-editor.tsx'
import { describeRule } from './modifier-form.ts'
import { store } from './modifier-store.ts'

/** The modifiers: their options in order, and their rules in words. */
export default function Modifiers() {
  const { modifiers: texts, screens } = t()
  return (
    <ObjectScreen
      root="/modifiers"
      name={screens.modifiers}
      scope="modifiers:write"
      store={store}
      texts={texts}
      head={[
        <th key="title" scope="col">
          {texts.title}
        </th>,
        <th key="rule" scope="col">
          {texts.rule}
        </th>,
        <th key="options" scope="col" class="wide-only">
          {texts.options}
        </th>,
      ]}
      cells={({ item }, open) => (
        <>
          <TitleCell title={item.title} detail={item.instructions} onOpen={open} />
          <td>{describeRule(item)}</td>
          <td class="wide-only">
            <span class="clip">{item.options.map(({ label }) => label).join(', ') || texts.optionCount(0)}</span>
          </td>
        </>
      )}
      editor={(id, close) => <ModifierEditor key={id} id={id} onClose={close} />}
    />
  )
}
