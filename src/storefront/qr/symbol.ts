import { encodeQR } from 'qr'

/** Error correction levels of ISO/IEC 18004. They restore about 7, 15, 25 and 30 % of a symbol. */
export const levels = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const
export type Level = keyof typeof levels

/** The modules of a QR symbol without its quiet zone, row by row; true is dark. */
export type Matrix = readonly (readonly boolean[])[]

/** Draws a symbol without a quiet zone. The package always draws one, so the narrowest is drawn and cut off. */
const drawSymbol = (text: string, level: Level): Matrix =>
  encodeQR(text, 'raw', { ecc: levels[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))

/** The highest level at which a text needs no more modules than at M, the minimum for print. It depends on the length of the text. */
export function chooseLevel(text: string): Level {
  const { length } = drawSymbol(text, 'M')
  return (['H', 'Q'] as const).find((level) => drawSymbol(text, level).length === length) ?? 'M'
}

/** Draws a text at a level, by default at that of `chooseLevel`. */
export const createSymbol = (text: string, level: Level = chooseLevel(text)): Matrix => drawSymbol(text, level)

/** The text of a tag's symbol: its URL in capitals, for the shorter alphanumeric mode. Routes ignore the case. */
export const toSymbolText = (baseUrl: string, code: string) => `${baseUrl}/T/${code}`.toUpperCase()

/** A corner between modules, from the upper left corner of the symbol. */
export type Point = readonly [x: number, y: number]

const directions: readonly Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/**
 * Traces the dark areas as polygons: clockwise, holes counterclockwise. Filled as one path, they have no seams between modules. Separate squares show
 * seams on many printers and screens.
 */
export function traceOutlines(matrix: Matrix): Point[][] {
  const size = matrix.length
  const isDark = (x: number, y: number) => matrix[y]?.[x] === true
  /** Whether an edge begins at this corner in this direction: dark on its right, light on its left. */
  const isEdge = (x: number, y: number, direction: number) => {
    switch (direction) {
      case 0:
        return isDark(x, y) && !isDark(x, y - 1)
      case 1:
        return isDark(x - 1, y) && !isDark(x, y)
      case 2:
        return isDark(x - 1, y - 1) && !isDark(x - 1, y)
      default:
        return isDark(x, y - 1) && !isDark(x - 1, y - 1)
    }
  }
  const seen = new Set<number>()
  const outlines: Point[][] = []
  for (let top = 0; top < size; top++) {
    for (let left = 0; left < size; left++) {
      if (!isEdge(left, top, 0) || seen.has(top * size + left)) continue
      const corners: Point[] = []
      let [x, y, direction] = [left, top, 0]
      do {
        if (direction === 0) seen.add(y * size + x)
        const [dx, dy] = directions[direction] ?? [0, 0]
        x += dx
        y += dy
        // If two areas touch at a corner, a right turn stays on the current area.
        const next = [direction + 1, direction, direction + 3]
          .map((turn) => turn % 4)
          .find((turn) => isEdge(x, y, turn))
        if (next !== undefined && next !== direction) {
          corners.push([x, y])
          direction = next
        }
      } while (x !== left || y !== top || direction !== 0)
      outlines.push(corners)
    }
  }
  return outlines
}
