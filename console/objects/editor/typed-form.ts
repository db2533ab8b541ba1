import { useSignal } from '@preact/signals'
import type { Row } from '../change.ts'
import type { EditedForm } from '../fields.tsx'

/** What was read. After changes of others to the same fields, its entity tag is of the version that the person began with. */
export interface FormRow<Item, Form> extends Row<Item> {
  /** The form of that version, in the fields that the person changed. */
  before?: Form
  /** What was read, with its own entity tag. */
  read?: Row<Item>
}

/** A form as it is stored, and as it is typed. `row` is what was read, if there is something. */
export function useTypedForm<Item, Form extends object>(toForm: (item?: Item) => Form) {
  const row = useSignal<FormRow<Item, Form> | undefined>(undefined)
  const saved = useSignal(toForm())
  const form = useSignal(saved.value)
  return {
    row,
    saved,
    form,
    isChanged: () => JSON.stringify(saved.value) !== JSON.stringify(form.value),
    /** Shows what was read, instead of what is typed. */
    show(next: Row<Item>) {
      row.value = next
      saved.value = toForm(next.item)
      form.value = saved.value
    },
    /** The form for its fields, with the errors of the editor. */
    edit: ({ errorOf, clearErrors }: Pick<EditedForm<never>, 'errorOf' | 'clearErrors'>): EditedForm<Form> => ({
      form: form.value,
      errorOf,
      clearErrors,
      set(name, value) {
        form.value = { ...form.value, [name]: value }
        clearErrors(String(name))
      },
      reset(stored, rebased = () => stored) {
        saved.value = { ...saved.value, ...stored }
        form.value = { ...form.value, ...rebased(form.value) }
      },
    }),
  }
}
export type TypedForm<Item, Form extends object> = ReturnType<typeof useTypedForm<Item, Form>>
