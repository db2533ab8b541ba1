import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, type RequestOptions } from '../../packages/client/src/client.ts'
import { showError } from '../ui/toasts.tsx'
import { changeWithChoice, withEtag } from './change.ts'
import { askConflict } from './conflict.tsx'
import { compareVersions, type ShowField } from './editor/compare-versions.ts'
import { useDraft } from './editor/draft.ts'
import { useTypedForm } from './editor/typed-form.ts'
import type { EditorPart, FormDefinition, Stored } from './editor-parts.ts'
import { findChanges } from './find-changes.ts'

interface SideDefinition<Side, Body extends object, Form extends object> extends FormDefinition<Side, Body, Form> {
  read: (id: string, options: RequestOptions) => Promise<Side>
  update: (id: string, fields: Partial<Body>, options: RequestOptions) => Promise<Side>
  /** Title of the question which of two versions to keep. */
  title: string
  nameOf: (field: string) => string
  show?: ShowField<Partial<Body> | Side>
  /** Whether a copy of the object gets it. Default: yes. */
  isCopied?: boolean
}

/** Ids of the parts of an object: a new object has the same parts with other ids. */
const listPartIds = ({ options = [], sections = [] }: Stored) => [...options, ...sections].map(({ id }) => id)

/** Data that belongs to an object and is stored separately, such as its details, as a part of the object's editor. */
export function useSide<Side extends object, Body extends object, Form extends object>(
  id: string | undefined,
  definition: SideDefinition<Side, Body, Form>,
) {
  const { toForm, findErrors, toBody, nameOf, isCopied = true } = definition
  const typed = useTypedForm(toForm)
  const { row, saved, form, isChanged } = typed
  const isLoaded = useSignal(id === undefined)
  const latest = useRef(definition)
  latest.current = definition
  const read = (of: string) => withEtag((options) => latest.current.read(of, options))
  const load = async (of: string) => {
    const found = await read(of).catch((error: unknown) => {
      // An object without them equals one with all fields absent.
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    })
    if (found) typed.show(found)
    isLoaded.value = true
  }
  useEffect(() => {
    if (id === undefined) return
    load(id).catch(showError)
  }, [id])
  useDraft(definition.title, typed, isLoaded.value)
  /** Accepts the current entity tag if only the named fields differ, which an own change of the object has changed. */
  const follow = async (of: string, names: readonly string[]) => {
    const known = row.value
    if (!known) return
    const now = await read(of)
    const rest = (item: Side) => JSON.stringify(Object.entries(item).filter(([name]) => !names.includes(name)))
    if (rest(now.item) === rest(known.item)) row.value = { ...known, etag: now.etag }
  }
  const part: EditorPart = {
    isChanged,
    findErrors: () => findErrors(form.value),
    async save(of) {
      const before = saved.value
      const known = row.value
      const fields = findChanges(toBody(before), toBody(form.value))
      saved.value = form.value
      if (Object.keys(fields).length === 0) return undefined
      try {
        const result = await changeWithChoice(
          known ?? (await read(of)),
          ({ etag }) =>
            withEtag((options) => latest.current.update(of, fields, { ...options, ...(etag && { ifMatch: etag }) })),
          () => read(of),
          async (theirs) =>
            askConflict(latest.current.title, await compareVersions(fields, theirs.item, nameOf, definition.show)),
        )
        row.value = result.row
        const { update } = latest.current
        const undone = findChanges(toBody(form.value), toBody(before))
        return result.isMine ? async () => void (await update(of, undone, {})) : undefined
      } catch (error) {
        saved.value = before
        row.value = known
        throw error
      }
    },
    async prepareRestore(deleted) {
      if (!isLoaded.value) await load(deleted.id)
      const empty = toBody(toForm())
      const unshown = Object.entries(row.value?.item ?? {}).filter(([name]) => !Object.hasOwn(empty, name))
      const text = JSON.stringify({ ...Object.fromEntries(unshown), ...findChanges(empty, toBody(saved.value)) })
      const { update } = latest.current
      return async (restored) => {
        const ids = listPartIds(restored)
        const renamed = listPartIds(deleted).reduce((all, id, index) => all.replaceAll(id, ids[index] ?? id), text)
        if (text !== '{}') await update(restored.id, JSON.parse(renamed), {})
      }
    },
    isCopied,
  }
  /** `isLoaded`: whether the fields may be changed. Data that could not be read must not be overwritten. */
  return {
    part,
    edit: typed.edit,
    isLoaded: isLoaded.value,
    stored: row.value?.item,
    current: () => row.value?.item,
    follow,
  }
}
