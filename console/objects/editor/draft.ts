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

/** Removes the typed changes of the current screen. */
export function discardDrafts(): void {
  const prefix = findPrefix()
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
}

/** A state that no object has. */
const noState = '"0-0."'

type Draft<Item, Form extends object> = Pick<TypedForm<Item, Form>, 'row' | 'saved' | 'form'>

/** Shows a newer version, together with the typed changes. If others changed the same fields, the next save asks which values to keep. */
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
  // Others can change fields again that the person did not change.
  row.value = next && etag && isContested ? { ...next, etag, before: rebase(typed, before, stored), read: next } : next
}

/**
 * Keeps typed changes in this browser until they are saved or discarded, and restores them after a closed tab. Stores only changed fields, so that
 * later changes by others stay. If others changed the same fields, the next save asks which values to keep. Uses layout effects, which run
 * immediately. Other effects wait for the next frame, and a tab can close before it.
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
      // Without own changes, no question is needed.
      row.value = read
    } else localStorage.setItem(key, JSON.stringify({ before, etag, typed: form.value }))
  }, [isReady, saved.value, form.value])
  useEffect(
    () => () => {
      // It is kept if the session ends or starts at another venue, or if the object could not be read.
      if (session.value?.merchant.id === venue && wasReady.current) localStorage.removeItem(key)
    },
    [],
  )
}
