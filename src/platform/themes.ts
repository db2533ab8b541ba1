/** The designs that a venue can choose for its pages and prints. `docs/design.md` describes them. */
export const themes = ['cafe', 'bar', 'fine'] as const
export type Theme = (typeof themes)[number]
export const fallbackTheme: Theme = 'cafe'

/** The design with a name; the usual one for an absent or unknown name. */
export const toTheme = (name: string | undefined): Theme => themes.find((theme) => theme === name) ?? fallbackTheme
