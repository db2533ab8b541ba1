import type { ComponentChildren } from 'preact'
import type { Row } from './change.ts'
import type { EditedForm } from './fields.tsx'
import type { Store } from './store.ts'

export type FieldErrors = ReadonlyMap<string, string>

/** Content of an editor, and how it is stored. */
export interface FormDefinition<Item, Body extends object, Form extends object> {
  toForm: (item?: Item) => Form
  /** Errors that the browser can detect. The service detects the others. */
  findErrors: (form: Form) => FieldErrors
  toBody: (form: Form) => Body
}

/** A part of an editor that is stored with a separate request, such as details. */
export interface EditorPart {
  isChanged: () => boolean
  findErrors: () => FieldErrors
  /** Stores what the object refers to, before the object itself. Returns a function that undoes it. */
  prepare?: () => Promise<(() => Promise<unknown>) | undefined>
  /** Stores the part of an existing object. Returns a function that undoes it. */
  save: (id: string) => Promise<(() => Promise<void>) | undefined>
  /** Remembers the stored part of an object. Returns a function that stores it for another object: for a copy. */
  prepareRestore?: (deleted: Stored) => Restore | Promise<Restore>
  /** Whether a copy of the object also gets this part. */
  isCopied?: boolean
}
type Restore = (restored: Stored) => Promise<void>

/** An object with the parts that its details refer to by id. */
export interface Stored {
  id: string
  options?: readonly { id: string }[]
  sections?: readonly { id: string }[]
}

export interface EditorProps<Item, Body extends object, Form extends object> {
  /** `sheet`: over the list, at the side. `page`: replaces the list. */
  layout?: 'sheet' | 'page'
  /** Absent for a new object. */
  id: string | undefined
  titles: { create: string; edit: string }
  /** Question before a deletion, below its title. */
  deleteHint: string
  /** The service does not restore such objects: undoing a deletion creates another one. This text says how it differs. */
  recreatedHint?: string
  scope: string
  store: Store<Item, Body>
  form: FormDefinition<Item, Body, Form>
  /** Fields of the form by the paths of the service, if they differ. */
  aliases?: Readonly<Record<string, string>>
  parts?: readonly EditorPart[]
  /** Further buttons beside those that delete and copy the object. */
  tools?: ComponentChildren
  onClose: () => void
  /** The body of a copy. Absent: the object cannot be duplicated. */
  toCopy?: (body: Body) => Body
  children: (
    edited: EditedForm<Form>,
    row: Row<Item> | undefined,
    /** Shows a newer version, together with the typed changes. */
    adopt: (row: Row<Item>) => void,
  ) => ComponentChildren
}
