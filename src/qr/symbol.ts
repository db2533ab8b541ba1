import { encodeQR } from 'qr'

/** Error correction levels of ISO/IEC 18004: about 7, 15, 25 and 30 % of a symbol may be unreadable. */
export const levels = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const
export type Level = keyof typeof levels

/** The modules of a QR symbol without its quiet zone, row by row; true is dark. */
export type Matrix = readonly (readonly boolean[])[]

/** The quiet zone that the standard asks for, in modules. */
export const quietZone = 4

/** The package insists on a quiet zone, and ours is not part of the matrix: it draws the narrowest, which is cut off again. */
const drawSymbol = (text: string, level: Level): Matrix =>
  encodeQR(text, 'raw', { ecc: levels[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))

/** The symbol of a text: at the level asked for, or at the highest that takes no more modules than level M, the least for print. */
export function createSymbol(text: string, level?: Level): Matrix {
  if (level) return drawSymbol(text, level)
  const least = drawSymbol(text, 'M')
  const isAsSmall = (matrix: Matrix) => matrix.length === least.length
  return [drawSymbol(text, 'H'), drawSymbol(text, 'Q')].find(isAsSmall) ?? least
}

/** What a tag's symbol holds: its address in capitals, so that the short alphanumeric mode applies; case does not matter to it. */
export const toSymbolText = (baseUrl: string, code: string) => `${baseUrl}/T/${code}`.toUpperCase()

export type Point = readonly [x: number, y: number]

const directions: readonly Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/**
 * The dark areas as polygons of their corners, clockwise, holes the other way round. Filled as one path they have no seams
 * between modules, which rows of little squares show on many printers and screens.
 */
export function traceOutlines(matrix: Matrix): Point[][] {
  const size = matrix.length
  const isDark = (x: number, y: number) => matrix[y]?.[x] === true
  /** Whether an edge begins at this corner in this direction: dark on its right hand, light on its left. */
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
        // Where two areas touch at a corner, turning right stays on this one.
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
