import { fallbackTheme, type Theme } from '../../../platform/themes.ts'
import { getContrast, getTextColor, toAccent } from '../../pages/accent-color.ts'
import { palettes } from '../../pages/look/tokens.ts'

/** How a design shows the plate with the name of a table. */
interface PaperLook {
  /** Color of the plate: that of the venue. Undefined if the design has lines above and below it instead. */
  plate: string | undefined
  /** Line around the plate, which a pale color needs. */
  edge: string | undefined
  /** Radius of its corners as a share of its height. */
  corner: number
  onPlate: string
  /** Lines and the call to action. */
  accent: string
  ink: string
  /** Texts that are read rarely. */
  soft: string
}

/** Minimum contrast of a plate with the paper, below which it gets an edge. */
const minPlateContrast = 1.3

/** Colors and corners of prints in a design. */
export function getPaperLook({
  theme = fallbackTheme,
  color,
}: {
  theme?: Theme | undefined
  color?: string | undefined
}): PaperLook {
  const { ink, soft, mark } = palettes[theme].light
  const plate = color ?? mark
  const accent = color === undefined ? mark : toAccent(color, theme).light
  const colors = { accent, ink, soft }
  if (theme === 'fine') return { ...colors, plate: undefined, edge: undefined, corner: 0, onPlate: ink }
  const edge = getContrast(plate, '#ffffff') < minPlateContrast ? ink : undefined
  return { ...colors, plate, edge, corner: theme === 'cafe' ? 0.2 : 0, onPlate: getTextColor(plate) }
}
