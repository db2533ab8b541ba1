import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Product } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { base } from '../../app/router.ts'
import { showError } from '../../ui/toasts.tsx'

/** The products that offer a modifier. They are read when the list is opened. */
export function UsedBy({ modifier }: { modifier: string }) {
  const { modifiers: texts, shell } = t()
  const isOpen = useSignal(false)
  const isDone = useSignal(false)
  const found = useSignal<readonly Product[]>([])
  useEffect(() => {
    if (!isOpen.value) return
    const controller = new AbortController()
    const read = async () => {
      for await (const product of api().products.list({ modifier, limit: 100 }, { signal: controller.signal }))
        found.value = [...found.value, product]
      isDone.value = true
    }
    read().catch((error) => controller.signal.aborted || showError(error))
    return () => controller.abort()
  }, [isOpen.value])
  return (
    <details
      onToggle={({ currentTarget }) => {
        // It stays after it was read.
        isOpen.value ||= currentTarget.open
      }}
    >
      <summary>{texts.usedBy}</summary>
      <ul class="ordered">
        {found.value.map(({ id, title }) => (
          <li key={id}>
            <a href={`${base}/products/${id}`}>{title}</a>
          </li>
        ))}
      </ul>
      {isOpen.value && !isDone.value && <p class="hint">{shell.loading}</p>}
      {isDone.value && found.value.length === 0 && <p class="hint">{texts.notUsed}</p>}
    </details>
  )
}
