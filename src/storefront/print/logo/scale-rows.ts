/** Pixels with three samples of 8 bits, and their opacities if any is not opaque. */
interface Pixels {
  width: number
  height: number
  colors: Uint8Array
  alpha: Uint8Array | undefined
}

/** Scales a picture down while its rows arrive. Each pixel is the mean of those that it covers, weighted by their opacities. */
export function createScaler(from: { width: number; height: number }, maxLength: number) {
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
