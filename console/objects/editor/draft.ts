import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../app/language.ts'
import { path } from '../../app/router.ts'
import { draftPrefix, session } from '../../app/session.ts'
import { showStatus } from '../../ui/toasts.tsx'
import type { Row } from '../change.ts'
import { doOverlap, findChanges, rebase } from '../find-changes.ts'
import type { TypedForm } from './typed-form.ts'

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

/** A state that no object has. */
const noState = '"0-0."'

type Draft<Item, Form extends object> = Pick<TypedForm<Item, Form>, 'row' | 'saved' | 'form'>

/** Shows a newer version, with what was typed. If others changed the same fields, the next save asks which stay. */
export function adopt<Item, Form extends object>(
  { row, saved, form }: Draft<Item, Form>,
  next: Row<Item> | undefined,
  stored: Form,
): void {
  const typed = form.value
  const { etag, before = saved.value } = row.value ?? {}
  form.value = rebase(saved.value, typed, stored)
  saved.value = stored
  const isContested = doOverlap(findChanges(before, stored), findChanges(stored, form.value))
  // Fields that the person did not change can be changed by others again.
  row.value = next && etag && isContested ? { ...next, etag, before: rebase(typed, before, stored), read: next } : next
}

/**
 * Keeps what is typed in this browser until it is saved or discarded, and brings it back after a closed tab: only the fields that were
 * changed, so that changes of others in the meantime stay. If others changed the same fields, the next save asks which stay. Layout effects
 * run at once; other effects wait for the next frame, and a tab can close before it.
 */
export function useDraft<Item, Form extends object>(part: string, shown: Draft<Item, Form>, isReady: boolean): void {
  const { row, saved, form } = shown
  const key = findPrefix() + part
  const venue = session.value?.merchant.id
  const wasReady = useRef(isReady)
  wasReady.current ||= isReady
  useLayoutEffect(() => {
    const draft = isReady && localStorage.getItem(key)
    if (!draft) return
    const { before, typed, etag = noState } = JSON.parse(draft)
    const read = row.value
    const stored = saved.value
    row.value = read && { ...read, etag }
    saved.value = before
    form.value = typed
    adopt(shown, read, stored)
    showStatus(t().object.draft, () => {
      form.value = saved.value
      row.value = read
    })
  }, [isReady])
  useLayoutEffect(() => {
    if (!isReady) return
    const { etag, before = saved.value, read = row.value } = row.value ?? {}
    if (isSame(saved.value, form.value)) {
      localStorage.removeItem(key)
      // Without own changes there is nothing to ask.
      row.value = read
    } else localStorage.setItem(key, JSON.stringify({ before, etag, typed: form.value }))
  }, [isReady, saved.value, form.value])
  useEffect(
    () => () => {
      // A session that ends, or starts at another venue, leaves it for the next one, and an object that could not be read for the next attempt.
      if (session.value?.merchant.id === venue && wasReady.current) localStorage.removeItem(key)
    },
    [],
  )
}
