import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../app/language.ts'
import { loadPart } from '../app/load-part.ts'
import { showAlert } from '../ui/toasts.tsx'

type Editors = typeof import('./editors.tsx')['default']
const editors = signal<Editors | undefined>(undefined)

/** Loads the editors of products and modifiers. */
async function loadEditors() {
  editors.value ??= (await loadPart('editors', () => import('./editors.tsx')))?.default
  return editors.value
}
/** Loads the editors of products and modifiers after the list is shown. */
export const prepareEditors = (): void => void loadEditors()

/** The editor of a product or a modifier; without an id, of a new one. */
export function DishEditor({
  kind,
  ...props
}: {
  kind: 'ModifierEditor' | 'ProductEditor'
  id: string | undefined
  onClose: () => void
}) {
  useEffect(() => {
    void loadEditors().then((loaded) => {
      if (loaded) return
      showAlert(t().problem.offline)
      props.onClose()
    })
  }, [])
  const Editor = editors.value?.[kind]
  return Editor ? <Editor {...props} /> : null
}
