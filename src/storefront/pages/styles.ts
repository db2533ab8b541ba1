import { fallbackTheme } from '../../platform/themes.ts'
import { baseStyles } from './look/base-styles.ts'
import { alphabetNames } from './look/font-files.ts'
import { menuStyles } from './look/menu-styles.ts'
import { sheetStyles } from './look/sheet-styles.ts'
import { createThemeStyles, type Look } from './look/theme-styles.ts'

/** Pages with rules of their own: the hosted menu and the table of allergens. */
const pageStyles = { menu: menuStyles, sheet: menuStyles + sheetStyles } as const
export type PageKind = keyof typeof pageStyles

/** Style sheet of a page for guests, light and dark. */
export const createStyles = (kind: PageKind | undefined, look: Look): string =>
  baseStyles + (kind === undefined ? '' : pageStyles[kind]) + createThemeStyles(look)

/** Style sheet of all pages without a venue. */
export const styles = createStyles(undefined, { theme: fallbackTheme, alphabets: alphabetNames })
