import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ImportMapping } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { Select } from '../../ui/select.tsx'
import { showError } from '../../ui/toasts.tsx'

type Choice = ImportMapping['menu']

/** The value of an option of the list. */
const toValue = (choice: Choice): string =>
  choice === undefined ? '' : choice === 'none' ? 'none' : (choice.id ?? `title:${choice.title ?? ''}`)

/** The menu whose sections are the categories of the file. `title` is the one that the import has now; undefined if it has none. */
export function MenuChoice(props: {
  title: string | undefined
  choice: Choice
  onChoose: (choices: ImportMapping) => void
}) {
  const { transfer: texts } = t()
  const menus = useSignal<readonly { id: string; title: string }[]>([])
  useEffect(() => {
    const read = async () => {
      const found: { id: string; title: string }[] = []
      for await (const menu of api().menus.list()) found.push({ id: menu.id, title: menu.title })
      menus.value = found
    }
    read().catch(showError)
  }, [])
  const { title = texts.newMenu } = props
  const isKnown = menus.value.some((menu) => menu.title === title)
  const value = toValue(props.choice)
  const current = props.title === undefined ? 'none' : `title:${title}`
  const options: (readonly [string, string])[] = [
    [`title:${title}`, isKnown ? texts.intoMenu(title) : texts.intoNewMenu(title)],
    ...menus.value.filter((menu) => menu.title !== title).map((menu) => [menu.id, texts.intoMenu(menu.title)] as const),
    ['none', texts.noMenu],
  ]
  return (
    <Select
      label={texts.sections}
      value={value === '' ? current : value}
      options={options}
      onChange={(next) =>
        props.onChoose({
          menu: next === 'none' ? 'none' : next.startsWith('title:') ? { title: next.slice(6) } : { id: next },
        })
      }
    />
  )
}
