import * as z from 'zod/mini'
import { lazy } from '../../../platform/db/database.ts'
import type { Bindings } from '../../../platform/env.ts'
import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import { log } from '../../../platform/lib/log.ts'
import { letOthersRun } from '../../../platform/lib/step-budget.ts'
import { type FileName, toObjectKey, toPaperKey } from '../../media/picture-name.ts'
import { deflate } from '../../qr/png.ts'
import { readPng, readPngRows, toRgba } from './png-rows.ts'

/** Pixels with three samples of 8 bits, and their opacities if any is not opaque. */
interface Pixels {
  width: number
  height: number
  colors: Uint8Array
  alpha: Uint8Array | undefined
}

/** Scales a picture down while its rows arrive. Each pixel is the mean of those that it covers, weighted by their opacities. */
function createScaler(from: { width: number; height: number }, maxLength: number) {
  const scale = Math.min(1, maxLength / from.width, maxLength / from.height)
  const [width, height] = [Math.max(1, Math.round(from.width * scale)), Math.max(1, Math.round(from.height * scale))]
  const colors = new Uint8Array(3 * width * height)
  const alpha = new Uint8Array(width * height)
  let sums = new Float64Array(5 * width)
  let rowCount = 0
  let isOpaque = true

  function finishRow(y: number): void {
    for (let x = 0; x < width; x++) {
      const [opacity = 0, count = 1] = [sums[5 * x + 3], sums[5 * x + 4]]
      const at = y * width + x
      for (let each = 0; each < 3; each++) {
        colors[3 * at + each] = opacity === 0 ? 255 : Math.round((sums[5 * x + each] ?? 0) / opacity)
      }
      const mean = Math.round(opacity / count)
      alpha[at] = mean
      if (mean < 255) isOpaque = false
    }
    sums = new Float64Array(5 * width)
  }

  return {
    /** Adds the next row, as red, green, blue and opacity of each pixel. */
    add(rgba: Uint8Array): void {
      for (let x = 0, at = 0; x < from.width; x++, at += 4) {
        const to = 5 * Math.floor((x * width) / from.width)
        const opacity = rgba[at + 3] ?? 0
        for (let each = 0; each < 3; each++) sums[to + each] = (sums[to + each] ?? 0) + (rgba[at + each] ?? 0) * opacity
        sums[to + 3] = (sums[to + 3] ?? 0) + opacity
        sums[to + 4] = (sums[to + 4] ?? 0) + 1
      }
      const y = Math.floor((rowCount * height) / from.height)
      rowCount++
      if (rowCount === from.height || Math.floor((rowCount * height) / from.height) > y) finishRow(y)
    },

    finish: (): Pixels => ({ width, height, colors, alpha: isOpaque ? undefined : alpha }),
  }
}

/** Width from which a file is sharp in print, in pixels. Wider files are scaled down. */
export const sharpWidth = 600
/** Maximum number of pixels that are decoded. */
const maxPixels = 4_000_000
/** Pixels that are decoded before other requests run. */
const pixelsAtOnce = 250_000

/** A picture as a PDF embeds it: compressed colors with three samples of 8 bits, and compressed opacities. */
export interface PaperPicture {
  width: number
  height: number
  colors: Uint8Array
  alpha: Uint8Array | undefined
}

/** Decodes a PNG in the size that paper needs. Undefined if it is too large, interlaced or rotated. */
async function makePaperPicture(bytes: Uint8Array): Promise<PaperPicture | undefined> {
  const png = readPng(bytes)
  if (!png || png.width * png.height > maxPixels) return undefined
  const scaler = createScaler(png, sharpWidth)
  const rgba = new Uint8Array(4 * png.width)
  let pixels = 0
  for await (const row of readPngRows(png)) {
    toRgba(png, row, rgba)
    scaler.add(rgba)
    pixels += png.width
    if (pixels < pixelsAtOnce) continue
    pixels = 0
    await letOthersRun()
  }
  const { width, height, colors, alpha } = scaler.finish()
  return { width, height, colors: await deflate(colors), alpha: alpha && (await deflate(alpha)) }
}

/** The first line of a stored file. Colors follow it, then opacities. */
const getHeadSchema = lazy(() =>
  z.object({ width: z.int(), height: z.int(), colors: z.int(), alpha: z.optional(z.int()) }),
)
const lineFeed = 0x0a

function write({ width, height, colors, alpha }: PaperPicture): Uint8Array {
  const head = JSON.stringify({ width, height, colors: colors.length, alpha: alpha?.length })
  return concatenate([new TextEncoder().encode(`${head}\n`), colors, ...(alpha ? [alpha] : [])])
}

/** Reads a stored file; undefined if it is empty, which means that the picture cannot be printed. */
function read(file: Uint8Array): PaperPicture | undefined {
  if (file.length === 0) return undefined
  const end = file.indexOf(lineFeed)
  const { width, height, colors, alpha } = getHeadSchema().parse(
    JSON.parse(new TextDecoder().decode(file.subarray(0, end))),
  )
  const start = end + 1 + colors
  return {
    width,
    height,
    colors: file.subarray(end + 1, start),
    alpha: alpha === undefined ? undefined : file.subarray(start, start + alpha),
  }
}

/** Stores a file, unless its picture was deleted since it was read: nothing would ever delete the file. */
async function store(env: Bindings, name: FileName, file: Uint8Array): Promise<void> {
  await env.MEDIA.put(toPaperKey(name), file)
  if (!(await env.MEDIA.head(toObjectKey(name)))) await env.MEDIA.delete(toPaperKey(name))
}

/** The picture for paper of a stored PNG. It is created once, at the upload of a logo or by the first print. */
export async function getPaperPicture(env: Bindings, name: FileName): Promise<PaperPicture | undefined> {
  const stored = await env.MEDIA.get(toPaperKey(name))
  if (stored) return read(await stored.bytes())
  const object = await env.MEDIA.get(toObjectKey(name))
  if (!object) return undefined
  const made = await makePaperPicture(await object.bytes()).catch((error: unknown) => {
    log(env, 'logo not read', { error: String(error) })
    return undefined
  })
  await store(env, name, made ? write(made) : new Uint8Array())
  return made
}
