/** The texts of an object in another language, by their paths: `title`, `options/opt_…/label`. */
export interface Translation {
  tag: string
  texts: Readonly<Record<string, string>>
}

const flatten = (value: object, prefix = ''): [string, string][] =>
  Object.entries(value).flatMap(([name, text]): [string, string][] =>
    typeof text === 'object' && text !== null ? flatten(text, `${prefix}${name}/`) : [[prefix + name, String(text)]],
  )

export const toTranslationForms = (translations: Readonly<Record<string, object>> = {}): readonly Translation[] =>
  Object.entries(translations).map(([tag, texts]) => ({ tag, texts: Object.fromEntries(flatten(texts)) }))

/** The texts that are filled in; an absent one is `undefined`. */
type Filled = Readonly<Partial<Record<string, string>>>

/** The body of translations. `toTexts` arranges the texts of a language. */
export const toTranslations = <Texts>(
  translations: readonly Translation[],
  toTexts: (filled: Filled) => Texts,
): Record<string, Texts> =>
  Object.fromEntries(
    translations.map(({ tag, texts }) => {
      const filled: Filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
      return [tag, toTexts(filled)]
    }),
  )

/** The texts of the parts of an object, such as options, by their ids. */
export const toPartTexts = <Texts>(filled: Filled, group: string, toTexts: (text: string) => Texts) =>
  Object.fromEntries(
    Object.entries(filled).flatMap(([path, text]): [string, Texts][] => {
      const [first, id = ''] = path.split('/')
      return first === group && text !== undefined ? [[id, toTexts(text)]] : []
    }),
  )
