import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import type { Row } from '../change.ts'
import type { EditorProps, Stored } from '../editor-parts.ts'
import { findChanges } from '../find-changes.ts'

/** Data of an editor: the object, if it exists, and its form as stored and as typed. */
interface Typed<Item, Form> {
  row: Row<Item> | undefined
  saved: Form
  typed: Form
}

/** Parts that a save has stored so far. If a part fails, the others stay stored until the next attempt, or until they are undone. */
export interface Attempt {
  isNew: boolean
  undos: (() => Promise<unknown>)[]
}
export const createAttempt = (): Attempt => ({ isNew: false, undos: [] })

/** Undoes the changes of an attempt, last change first. */
export async function takeBack({ undos }: Attempt): Promise<void> {
  for (const undo of undos.splice(0).reverse()) await undo()
}

/** Creates or changes the object itself. `undo` reverts this, except fields that others have changed since. */
async function storeFields<Item extends Stored, Body extends object, Form extends object>(
  { store, form: { toForm, toBody } }: EditorProps<Item, Body, Form>,
  { row, saved, typed }: Typed<Item, Form>,
): Promise<{ stored: Row<Item>; isMine: boolean; undo?: () => Promise<unknown> }> {
  if (!row) {
    const stored = await store.create(toBody(typed))
    return { stored, isMine: true, undo: () => store.remove(stored.item.id) }
  }
  const changes = findChanges(toBody(saved), toBody(typed))
  if (Object.keys(changes).length === 0) return { stored: row, isMine: true }
  const { row: stored, before, isMine } = await store.update(row, changes)
  if (!isMine) return { stored, isMine }
  const back = findChanges(toBody(toForm(stored.item)), toBody(toForm(before.item)))
  return { stored, isMine, undo: () => store.update(stored, back) }
}

/**
 * Creates or changes an object, stores its parts, and shows a message that offers to undo changes. `onStored` gets the object before its parts are
 * stored: if one of them fails, the next call with the same attempt changes this object.
 */
export async function storeObject<Item extends Stored, Body extends object, Form extends object>(
  props: EditorProps<Item, Body, Form>,
  typed: Typed<Item, Form>,
  attempt: Attempt,
  onStored: (stored: Row<Item>) => void,
): Promise<void> {
  const { object: texts } = t()
  const { stored, isMine, undo } = await storeFields(props, typed)
  attempt.isNew ||= !typed.row
  if (undo) attempt.undos.push(undo)
  onStored(stored)
  for (const part of props.parts ?? []) {
    const undoPart = part.isChanged() ? await part.save(stored.item.id) : undefined
    if (undoPart) attempt.undos.push(undoPart)
  }
  const undoAll = async () => {
    await takeBack(attempt)
    showStatus(t().object.undone)
  }
  const title = props.store.titleOf(stored.item)
  const { isPrepared } = t().release
  if (attempt.isNew) showStatus((isDrafted() ? isPrepared : texts.created)(title))
  else if (isMine)
    showStatus(
      (isDrafted() ? isPrepared : texts.saved)(title),
      attempt.undos.length > 0 ? () => undoAll().catch(showError) : undefined,
    )
}
