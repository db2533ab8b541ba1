import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../app/language.ts'
import { Field } from '../ui/controls.tsx'
import { Icon } from '../ui/icons.tsx'
import { listLanguages, nameCode } from './contents/named-codes.ts'
import type { EditedForm } from './fields.tsx'
import type { Translation } from './translation-form.ts'

interface TranslatedText {
  path: string
  label: string
  /** The text in the venue's language. */
  original?: string
  multiline?: boolean
}

/** The texts of an object in other languages. */
export function Translations({
  of,
  fields,
}: {
  of: Pick<EditedForm<{ translations: readonly Translation[] }>, 'form' | 'errorOf' | 'set'>
  fields: readonly TranslatedText[]
}) {
  const { details: texts, action, issue } = t()
  const typed = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const { translations } = of.form
  const named = listLanguages('')
  const list = useId()
  const add = () => {
    const text = typed.value.trim()
    let tag = named.find(([, name]) => name.toLocaleLowerCase() === text.toLocaleLowerCase())?.[0]
    try {
      tag ??= Intl.getCanonicalLocales(text)[0]
    } catch {
      // The typed text is not a language tag.
    }
    error.value =
      tag === undefined
        ? issue.invalid_format
        : translations.some((each) => each.tag === tag)
          ? texts.isThere
          : undefined
    if (tag === undefined || error.value !== undefined) return
    of.set('translations', [...translations, { tag, texts: {} }])
    typed.value = ''
  }
  return (
    <details>
      <summary>{texts.translations}</summary>
      <div class="form">
        {translations.map(({ tag, texts: translated }, index) => {
          const name = texts.translation(nameCode('language', tag))
          return (
            <fieldset key={tag} class="group" aria-label={name}>
              <div class="with-unit">
                <h3 class="space">{nameCode('language', tag)}</h3>
                <button
                  type="button"
                  class="quiet square"
                  aria-label={action.removeOf(name)}
                  onClick={() => of.set('translations', translations.toSpliced(index, 1))}
                >
                  <Icon name="close" />
                </button>
              </div>
              {fields.map(({ path, label, original, multiline = false }) => (
                <Field
                  key={path}
                  label={label}
                  hint={original}
                  value={translated[path] ?? ''}
                  error={of.errorOf(`translations/${tag}/${path}`)}
                  multiline={multiline}
                  onInput={(text) =>
                    of.set('translations', translations.with(index, { tag, texts: { ...translated, [path]: text } }))
                  }
                />
              ))}
            </fieldset>
          )
        })}
        <div class="with-unit end">
          <Field
            label={texts.language}
            hint={texts.languageHint}
            value={typed.value}
            error={error.value}
            input={{
              list,
              spellcheck: false,
              onKeyDown: (event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              },
            }}
            onInput={(text) => {
              typed.value = text
              error.value = undefined
            }}
          />
          <datalist id={list}>
            {named.map(([tag, name]) => (
              <option key={tag} value={name} />
            ))}
          </datalist>
          <button type="button" onClick={add}>
            <Icon name="plus" />
            {texts.addTranslation}
          </button>
        </div>
      </div>
    </details>
  )
}
