import { fallbackTheme } from '../../../platform/themes.ts'
import { createFontFaces, fontStacks, listAlphabets } from '../../pages/look/font-faces.ts'
import type { SheetContent } from '../cards.ts'
import type { TextBox } from './geometry.ts'
import { getPaperLook } from './paper-colors.ts'
import { paperType } from './paper-font.ts'

/** All texts of a sheet that its design shows. */
const listTexts = ({ venue, messages, text, cards }: SheetContent) =>
  [
    venue,
    text ?? messages.scan,
    ...cards.flatMap(({ entries }) => entries.flatMap(({ key, value }) => [key, value])),
  ].join(' ')

/** Fonts and colors of the texts of cards. Without the fonts of a design, texts are measured and shown in Helvetica. */
export function createCardStyles(content: SheetContent, texts: Readonly<Record<string, TextBox>>): string[] {
  const { theme = fallbackTheme, fonts } = content
  const { onPlate, accent, ink, soft } = getPaperLook(content)
  const type = paperType[theme]
  const upper = listTexts(content).toUpperCase()
  const families = [...new Set([type.display.family, type.text.family])]
  const faces = fonts ? [createFontFaces(families, listAlphabets(listTexts(content) + upper))] : []
  const rules = Object.entries(texts).map(([name, { role }]) => {
    const { family, weight } = type[role]
    return fonts
      ? `.${name}{font-family:${fontStacks[family]};font-weight:${weight}}`
      : // Scales other fonts until their digits are as wide as those of Helvetica, whose widths were measured.
        `.${name}{font-family:Helvetica,Arial,system-ui,sans-serif;font-weight:bold;font-size-adjust:ch-width .556}`
  })
  return [
    ...faces,
    ...rules,
    `[class$=abel],.area{color:${onPlate}}`,
    `.scan{color:${accent}}`,
    `.venue{color:${ink}}`,
    `.address,.code{color:${soft}}`,
  ]
}
