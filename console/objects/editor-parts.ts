import type { ComponentChildren } from 'preact'
import type { Row } from './change.ts'
import type { EditedForm } from './fields.tsx'
import type { Store } from './store.ts'

export type FieldErrors = ReadonlyMap<string, string>

/** What an editor holds, and how it is stored. */
export interface FormDefinition<Item, Body extends object, Form extends object> {
  toForm: (item?: Item) => Form
  /** Errors that the browser can find: the service finds the others. */
  findErrors: (form: Form) => FieldErrors
  toBody: (form: Form) => Body
}

/** A part of an editor that is stored by a request of its own, such as details. */
export interface EditorPart {
  isChanged: () => boolean
  findErrors: () => FieldErrors
  /** Stores the part of an object that exists. Returns what takes that back. */
  save: (id: string) => Promise<(() => Promise<void>) | undefined>
  /** Remembers what is stored with an object. Returns a function that stores it with another one. */
  prepareRestore: (deleted: Stored) => Restore | Promise<Restore>
  /** Whether a copy of the object gets it too. */
  isCopied?: boolean
}
type Restore = (restored: Stored) => Promise<void>

/** An object with the parts that its details name by their ids. */
export interface Stored {
  id: string
  options?: readonly { id: string }[]
  sections?: readonly { id: string }[]
}

export interface EditorProps<Item, Body extends object, Form extends object> {
  /** `sheet`: above the list, at the side. `page`: in its place. */
  layout?: 'sheet' | 'page'
  /** Absent for a new object. */
  id: string | undefined
  titles: { create: string; edit: string }
  /** Asked before a deletion, below its title. */
  deleteHint: string
  /** What else a person must know after a deletion is undone. */
  restoredHint?: string
  /** Whether a deletion cannot be undone. */
  isFinal?: boolean
  scope: string
  store: Store<Item, Body>
  form: FormDefinition<Item, Body, Form>
  /** Fields of the form by the paths of the service, where they differ. */
  aliases?: Readonly<Record<string, string>>
  parts?: readonly EditorPart[]
  onClose: () => void
  /** The body of a copy. Absent: the object cannot be duplicated. */
  toCopy?: (body: Body) => Body
  children: (
    edited: EditedForm<Form>,
    row: Row<Item> | undefined,
    /** Shows a newer version, with what was typed. */
    adopt: (row: Row<Item>) => void,
  ) => ComponentChildren
}
