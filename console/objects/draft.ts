import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { t } from '../app/language.ts'
import { path } from '../app/router.ts'
import { draftPrefix, session } from '../app/session.ts'
import { showStatus } from '../ui/toasts.tsx'

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Keeps what is typed in this browser until it is saved or discarded, and brings it back after a closed tab: only the fields that were
 * changed, so that changes of others in the meantime stay. Layout effects run at once; other effects wait for the next frame, and a tab can
 * close before it.
 */
export function useDraft<Form extends object>(
  part: string,
  saved: Signal<Form>,
  form: Signal<Form>,
  isReady: boolean,
): void {
  const { merchant, mode } = session.value ?? {}
  const key = `${draftPrefix}${merchant?.id} ${mode} ${path.value} ${part}`
  useLayoutEffect(() => {
    const draft = isReady && localStorage.getItem(key)
    if (!draft) return
    const { before, typed } = JSON.parse(draft)
    const changed = Object.entries(typed).filter(([name, value]) => !isSame(value, before[name]))
    form.value = { ...form.value, ...Object.fromEntries(changed) }
    showStatus(t().object.draft, () => {
      form.value = saved.value
    })
  }, [isReady])
  useLayoutEffect(() => {
    if (!isReady) return
    if (isSame(saved.value, form.value)) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ before: saved.value, typed: form.value }))
  }, [isReady, saved.value, form.value])
  useEffect(
    () => () => {
      // A session that ends leaves it for the next one.
      if (session.value) localStorage.removeItem(key)
    },
    [],
  )
}
