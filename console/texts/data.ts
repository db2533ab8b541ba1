type Read = (...values: readonly (string | number)[]) => string

/** A text with parameters: its forms for any number, for 1 and for 0. `{0}` marks the first parameter. */
const fill =
  ([any, one, none]: readonly (string | null)[]): Read =>
  (...values) =>
    ((values[0] === 1 && one) || (values[0] === 0 && none) || any || '').replace(/\{(\d)\}/g, (_, index) =>
      String(values[index]),
    )

/** The texts of a file that the build has written (`tools/cli/build/console-texts.ts`). `Texts` is the type of the file's content. */
export const readTexts = <Texts>(json: string): Texts =>
  JSON.parse(json, (_, value) => (Array.isArray(value) ? fill(value) : value))
