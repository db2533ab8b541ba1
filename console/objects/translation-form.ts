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

/** The non-empty texts; an absent text is `undefined`. */
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

/** The texts of the parts of an object, such as options, by their ids. `toTexts` arranges the texts of a part. */
export function toPartTexts<Texts>(filled: Filled, group: string, toTexts: (filled: Filled) => Texts) {
  const parts = new Map<string, Record<string, string>>()
  for (const [path, text] of Object.entries(filled)) {
    const [first, id = '', field = ''] = path.split('/')
    if (first === group && text !== undefined) parts.set(id, { ...parts.get(id), [field]: text })
  }
  return Object.fromEntries([...parts].map(([id, texts]): [string, Texts] => [id, toTexts(texts)]))
}
