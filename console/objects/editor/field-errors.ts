import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { FieldErrors } from '../editor-parts.ts'

/** The error of a field in a list, if its value is wrong. */
export const errorIf = (isWrong: boolean, name: string, text: string): [string, string][] =>
  isWrong ? [[name, text]] : []

const marked = '[aria-invalid=true]'

/** The errors of the fields of a form, by the names of the fields. `form` is the reference of the form element. */
export function useFieldErrors() {
  const form = useRef<HTMLFormElement>(null)
  const errors = useSignal<FieldErrors>(new Map())
  return {
    form,
    errorOf: (name: string) => errors.value.get(name),
    /** Shows errors, and moves the focus to the first field that has one. Calls `then` with whether the form shows such a field. */
    show(found: FieldErrors, then: (isMarked: boolean) => void = () => {}) {
      errors.value = found
      requestAnimationFrame(() => {
        // The person has corrected a field since.
        if (errors.value !== found) return
        const field = form.current?.querySelector<HTMLElement>(marked)
        for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details')) part.open = true
        then(field != null)
        // Runs after the messages are drawn, because they take space.
        setTimeout(() => field?.focus())
      })
    },
    /** Removes the errors of fields and of nested fields. */
    clear(...names: readonly string[]) {
      const isCleared = (path: string) => names.some((name) => path === name || path.startsWith(`${name}/`))
      errors.value = new Map([...errors.value].filter(([path]) => !isCleared(path)))
    },
  }
}
export type FormErrors = ReturnType<typeof useFieldErrors>
