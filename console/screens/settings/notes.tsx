import { t } from '../../app/language.ts'
import { type Translation, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'
import { Translations } from '../../objects/translations.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'

/** A note for guests, as it is edited. */
export interface NoteForm {
  text: string
  translations: readonly Translation[]
}
interface Note {
  text: string
  translations?: Record<string, { text: string }>
}

/** Maximum number of notes of a venue. */
const maxNotes = 5

export const toNoteForms = (notes: readonly Note[] = []): readonly NoteForm[] =>
  notes.map(({ text, translations }) => ({ text, translations: toTranslationForms(translations) }))

/** The body of notes; `null` without any. Languages without a text are left out. */
export function toNotes(notes: readonly NoteForm[]): Note[] | null {
  const bodies = notes.map(({ text, translations }) => {
    const written = translations.filter(({ texts }) => texts['text']?.trim())
    const body = toTranslations(written, ({ text: translated = '' }) => ({ text: translated.trim() }))
    return { text: text.trim(), ...(written.length > 0 && { translations: body }) }
  })
  return bodies.length > 0 ? bodies : null
}

/** Notes at the end of the menu and of the table of allergens, with their translations. */
export function Notes(props: {
  notes: readonly NoteForm[]
  errorOf: (name: string) => string | undefined
  onChange: (notes: readonly NoteForm[]) => void
}) {
  const { notes, errorOf, onChange } = props
  const { settings: texts, action } = t()
  const change = (index: number, fields: Partial<NoteForm>) =>
    onChange(notes.map((each, at) => (at === index ? { ...each, ...fields } : each)))
  return (
    <fieldset class="plain">
      <legend>{texts.notes}</legend>
      <p class="hint">{texts.notesHint}</p>
      {notes.map((note, index) => {
        const name = texts.noteOf(index + 1)
        return (
          <fieldset key={String(index)} class="group" aria-label={name}>
            <div class="with-unit end">
              <Field
                label={name}
                value={note.text}
                error={errorOf(`notes/${index}/text`)}
                multiline
                onInput={(text) => change(index, { text })}
              />
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(name)}
                onClick={() => onChange(notes.toSpliced(index, 1))}
              >
                <Icon name="trash" />
              </button>
            </div>
            <Translations
              of={{
                form: note,
                errorOf: (path) => errorOf(`notes/${index}/${path}`),
                set: (_, translations) => change(index, { translations }),
              }}
              fields={[{ path: 'text', label: name, original: note.text, multiline: true }]}
            />
          </fieldset>
        )
      })}
      {notes.length < maxNotes && (
        <p>
          <button type="button" onClick={() => onChange([...notes, { text: '', translations: [] }])}>
            <Icon name="plus" />
            {texts.addNote}
          </button>
        </p>
      )}
    </fieldset>
  )
}
