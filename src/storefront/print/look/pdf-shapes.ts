import type { Matrix } from '../../qr/symbol.ts'
import type { Box, Layout } from './geometry.ts'
import type { getPaperLook } from './paper-colors.ts'

/** A number as PDF writes it: in thousandths of a point at most. */
export const format = (value: number) => String(Number(value.toFixed(3)))
/** Numbers as PDF writes them, with spaces between them. */
export const formatAll = (...values: readonly number[]) => values.map(format).join(' ')

/** Draws a symbol in modules: its rows as rectangles of one path, so that there are no seams. */
export function drawModules(matrix: Matrix): string {
  let path = ''
  for (const [y, row] of matrix.entries()) {
    for (let x = 0; x < row.length; x++) {
      const from = x
      while (row[x]) x++
      if (x > from) path += `${from} ${y} ${x - from} 1 re\n`
    }
  }
  return `${path}f\n`
}

/** Outlines a card: the line to cut along. Circles are four Bézier curves. */
export function drawOutline({ width, height, isFolded, cut }: Layout): string {
  if (cut === 'none') return ''
  if (cut === 'line') return `q 0.6 G 0.1 w 0 0 ${formatAll(width, isFolded ? 2 * height : height)} re S Q\n`
  const radius = width / 2
  const [near, far] = [radius * (1 - 0.5523), radius * (1 + 0.5523)]
  const curves = [
    [width, far, far, width, radius, width],
    [near, width, 0, far, 0, radius],
    [0, near, near, 0, radius, 0],
    [far, 0, width, near, width, radius],
  ]
  return `q 0.6 G 0.1 w ${formatAll(width, radius)} m ${curves.map((curve) => `${formatAll(...curve)} c`).join(' ')} S Q\n`
}

/** The operands of a color. */
const toRgb = (color: string) => formatAll(...[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255))
/** Draws in a color, and in black afterwards. */
export const inColor = (color: string, drawn: string) => (drawn === '' ? '' : `${toRgb(color)} rg\n${drawn}0 g\n`)

/** The outline of a rectangle with round corners. */
function drawRounded({ left, top, width, height }: Box, radius: number): string {
  if (radius === 0) return `${formatAll(left, top, width, height)} re`
  const [right, bottom, away] = [left + width, top + height, radius * (1 - 0.5523)]
  const corners = [
    [
      [right - radius, top],
      [right - away, top, right, top + away, right, top + radius],
    ],
    [
      [right, bottom - radius],
      [right, bottom - away, right - away, bottom, right - radius, bottom],
    ],
    [
      [left + radius, bottom],
      [left + away, bottom, left, bottom - away, left, bottom - radius],
    ],
    [
      [left, top + radius],
      [left, top + away, left + away, top, left + radius, top],
    ],
  ] as const
  return `${formatAll(left + radius, top)} m ${corners.map(([to, curve]) => `${formatAll(...to)} l ${formatAll(...curve)} c`).join(' ')} h`
}

/** Draws the area in the color of the venue, or the lines above and below it. */
export function drawTablePlate(box: Box, { plate, edge, corner, accent }: ReturnType<typeof getPaperLook>): string {
  const bottom = box.top + box.height
  const lines = [box.top, bottom].map((y) => `${formatAll(box.left, y)} m ${formatAll(box.left + box.width, y)} l S`)
  if (plate === undefined) return `q ${toRgb(accent)} RG 0.25 w ${lines.join(' ')} Q\n`
  const line = edge === undefined ? 'f' : `${toRgb(edge)} RG 0.2 w B`
  return `q ${toRgb(plate)} rg ${drawRounded(box, corner * box.height)} ${line} Q\n`
}
