import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { path } from '../../app/router.ts'
import { draftPrefix, session } from '../../app/session.ts'
import { showStatus } from '../../ui/toasts.tsx'
import { rebase } from '../find-changes.ts'

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const findPrefix = () => {
  const { merchant, mode } = session.value ?? {}
  return `${draftPrefix}${merchant?.id} ${mode} ${path.value} `
}

/** Removes what was typed on the screen that is shown. */
export function discardDrafts(): void {
  const prefix = findPrefix()
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
}

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
  const key = findPrefix() + part
  const venue = session.value?.merchant.id
  const wasReady = useRef(isReady)
  wasReady.current ||= isReady
  useLayoutEffect(() => {
    const draft = isReady && localStorage.getItem(key)
    if (!draft) return
    const { before, typed } = JSON.parse(draft)
    form.value = rebase(before, typed, form.value)
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
      // A session that ends, or starts at another venue, leaves it for the next one, and an object that could not be read for the next attempt.
      if (session.value?.merchant.id === venue && wasReady.current) localStorage.removeItem(key)
    },
    [],
  )
}
