import { useSignal } from '@preact/signals'
import type { Row } from '../change.ts'
import type { EditedForm } from '../fields.tsx'

/** The object that was read. If others changed the same fields, its entity tag is that of the version that the person started from. */
export interface FormRow<Item, Form> extends Row<Item> {
  /** The form of that version, for the fields that the person changed. */
  before?: Form
  /** The object that was read, with its own entity tag. */
  read?: Row<Item>
}

/** A form as stored and as typed. `row` is the object that was read, if it exists. */
export function useTypedForm<Item, Form extends object>(toForm: (item?: Item) => Form) {
  const row = useSignal<FormRow<Item, Form> | undefined>(undefined)
  const saved = useSignal(toForm())
  const form = useSignal(saved.value)
  return {
    row,
    saved,
    form,
    isChanged: () => JSON.stringify(saved.value) !== JSON.stringify(form.value),
    /** Shows the object that was read, instead of typed changes. */
    show(next: Row<Item>) {
      row.value = next
      saved.value = toForm(next.item)
      form.value = saved.value
    },
    /** The form of an editor for its fields, with errors. */
    edit: ({ errorOf, clearErrors }: Pick<EditedForm<never>, 'errorOf' | 'clearErrors'>): EditedForm<Form> => ({
      form: form.value,
      errorOf,
      clearErrors,
      set(name, value) {
        form.value = { ...form.value, [name]: value }
        clearErrors(String(name))
      },
      change(fields) {
        form.value = { ...form.value, ...fields }
        for (const name of Object.keys(fields)) clearErrors(name)
      },
      reset(stored, rebased = () => stored) {
        saved.value = { ...saved.value, ...stored }
        form.value = { ...form.value, ...rebased(form.value) }
      },
    }),
  }
}
export type TypedForm<Item, Form extends object> = ReturnType<typeof useTypedForm<Item, Form>>
