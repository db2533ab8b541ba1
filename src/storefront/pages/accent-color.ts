import type { Theme } from '../../platform/themes.ts'
import { palettes } from './look/tokens.ts'

/** Contrast that WCAG 2.2 requires of text at level AA. */
const minContrast = 4.5
/** Steps in which a color is mixed with black or white. */
const steps = 20

type Channels = readonly [red: number, green: number, blue: number]

const parse = (color: string): Channels => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
const format = (channels: Channels) =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance as WCAG defines it. */
function getLuminance(channels: Channels): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colors, 1–21. */
export function getContrast(a: string, b: string): number {
  const [x, y] = [getLuminance(parse(a)), getLuminance(parse(b))]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** The color itself if its contrast with all backgrounds suffices, otherwise the nearest mixture with black or white that has enough contrast. */
function adjust(color: string, backgrounds: readonly string[], target: number): string {
  const [red, green, blue] = parse(color)
  for (let step = 0; step < steps; step++) {
    const mix = (channel: number) => channel + ((target - channel) * step) / steps
    const mixed = format([mix(red), mix(green), mix(blue)])
    if (backgrounds.every((background) => getContrast(mixed, background) >= minContrast)) return mixed
  }
  return format([target, target, target])
}

/** The color of a venue as text on pages for guests, in the light and the dark scheme of a design. */
export function toAccent(color: string, theme: Theme) {
  const { light, dark } = palettes[theme]
  return {
    light: adjust(color, [light.paper, light.card, light.tint], 0),
    dark: adjust(color, [dark.paper, dark.card, dark.tint], 255),
  }
}

/** Black or white, whichever can be read better on a color. */
export const getTextColor = (color: string): string =>
  getContrast(color, '#000000') >= getContrast(color, '#ffffff') ? '#000000' : '#ffffff'
