import type { InputHTMLAttributes } from 'preact'
import { Check, Field } from '../ui/controls.tsx'

/** The form of an editor: numbers are texts as they were typed. */
export interface EditedForm<Form> {
  readonly form: Form
  /** The error of a field, by its name or its path below it: `options/2/label`. */
  errorOf(name: string): string | undefined
  set<Name extends keyof Form>(name: Name, value: Form[Name]): void
  /** Sets several fields at once. */
  change(fields: Partial<Form>): void
  /** Removes the errors of a field and of nested fields. */
  clearErrors(name: string): void
  /** Accepts the version that the service has stored since. `rebased` is this version with the typed changes. */
  reset(stored: Partial<Form>, rebased?: (typed: Form) => Partial<Form>): void
}

/** Parts of a form that a field needs. */
interface Bound<Name extends string, Value> {
  readonly form: Readonly<Record<Name, Value>>
  errorOf(name: string): string | undefined
  set(name: Name, value: Value): void
}

interface TextFieldProps<Name extends string> {
  of: Bound<NoInfer<Name>, string>
  name: Name
  label: string
  hint?: string | undefined
  unit?: string | undefined
  multiline?: boolean
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A field for a text of a form. */
export const TextField = <Name extends string>({ of, name, ...field }: TextFieldProps<Name>) => (
  <Field {...field} value={of.form[name]} error={of.errorOf(name)} onInput={(typed) => of.set(name, typed)} />
)

/** A field for a number of a form. */
export const NumberField = <Name extends string>({ input, ...props }: TextFieldProps<Name>) => (
  <TextField {...props} input={{ inputMode: 'decimal', ...input }} />
)

/** A checkbox for a value of a form. */
export const CheckField = <Name extends string>(props: {
  of: Bound<NoInfer<Name>, boolean>
  name: Name
  label: string
}) => <Check label={props.label} isOn={props.of.form[props.name]} onChange={(isOn) => props.of.set(props.name, isOn)} />
