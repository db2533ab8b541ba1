import { useSignal } from '@preact/signals'
import { locale, t } from '../../app/language.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { DetailsForm, Translation } from './details-form.ts'

/** The name of a language by its tag: `French`. */
function nameLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(locale.value, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** The texts of a product in other languages. */
export function Translations({ of }: { of: EditedForm<DetailsForm> }) {
  const { details: texts, product, action, issue } = t()
  const typed = useSignal('')
  const error = useSignal<string | undefined>(undefined)
  const { translations, removed } = of.form
  const change = (index: number, fields: Partial<Translation>) =>
    of.set(
      'translations',
      translations.map((each, at) => (at === index ? { ...each, ...fields } : each)),
    )
  const add = () => {
    let tag: string | undefined
    try {
      tag = Intl.getCanonicalLocales(typed.value.trim())[0]
    } catch {
      // What is typed is no tag.
    }
    error.value =
      tag === undefined
        ? issue.invalid_format
        : translations.some((each) => each.tag === tag)
          ? texts.isThere
          : undefined
    if (tag === undefined || error.value !== undefined) return
    of.set('translations', [...translations, { tag, title: '', description: '' }])
    of.set(
      'removed',
      removed.filter((each) => each !== tag),
    )
    typed.value = ''
  }
  return (
    <details>
      <summary>{texts.translations}</summary>
      <div class="form">
        {translations.map(({ tag, title, description }, index) => (
          <fieldset key={tag} class="group" aria-label={texts.translation(nameLanguage(tag))}>
            <div class="with-unit">
              <h3 class="space">{nameLanguage(tag)}</h3>
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(texts.translation(nameLanguage(tag)))}
                onClick={() => {
                  of.set('translations', translations.toSpliced(index, 1))
                  of.set('removed', [...removed, tag])
                }}
              >
                <Icon name="close" />
              </button>
            </div>
            <Field
              label={product.title}
              value={title}
              error={of.errorOf(`translations/${tag}/title`)}
              onInput={(text) => change(index, { title: text })}
            />
            <Field
              label={product.description}
              value={description}
              error={of.errorOf(`translations/${tag}/description`)}
              multiline
              onInput={(text) => change(index, { description: text })}
            />
          </fieldset>
        ))}
        <div class="with-unit end">
          <Field
            label={texts.language}
            hint={texts.languageHint}
            value={typed.value}
            error={error.value}
            input={{
              class: 'short',
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
          <button type="button" onClick={add}>
            <Icon name="plus" />
            {texts.addTranslation}
          </button>
        </div>
      </div>
    </details>
  )
}
