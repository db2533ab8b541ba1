import { createBitmap } from './png.ts'
import { type Matrix, type Point, traceOutlines } from './symbol.ts'

/** Size of a drawn symbol. */
export interface Drawing {
  /** Pixels per module. */
  scale: number
  /** Modules of quiet zone. */
  margin: number
}

/** A step along one axis, as an SVG path command. */
const step = ([x, y]: Point, [toX, toY]: Point) => (y === toY ? `h${toX - x}` : `v${toY - y}`)

/** Draws the dark areas of a symbol as SVG path data, offset by the margin. */
export function toSvgPath(matrix: Matrix, margin: number): string {
  let path = ''
  let [fromX, fromY] = [0, 0]
  for (const corners of traceOutlines(matrix)) {
    const [first = [0, 0]] = corners
    const [x, y] = [first[0] + margin, first[1] + margin]
    path += `m${x - fromX} ${y - fromY}`
    // The command The command The command The command `z` draws the last side.
    for (const [index, corner] of corners.slice(1).entries()) path += step(corners[index] ?? corner, corner)
    path += 'z'
    ;[fromX, fromY] = [x, y]
  }
  return path.replaceAll(' -', '-')
}

/** Draws a symbol as SVG: a white background and one path. */
export function toSvg(matrix: Matrix, { scale, margin }: Drawing): string {
  const modules = matrix.length + 2 * margin
  const size = modules * scale
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path d="${toSvgPath(matrix, margin)}"/></svg>`
}

/** Draws a symbol as PNG. */
export const toPng = (matrix: Matrix, { scale, margin }: Drawing) => createBitmap(matrix, margin, scale)
