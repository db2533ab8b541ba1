import { toTheme } from '../../../../platform/themes.ts'
import { palettes } from '../../../pages/look/tokens.ts'
import type { PublicMenu } from '../../public-menu.ts'

/** Sizes of the icon in pixels. */
const iconSizes = [192, 512] as const

/** Name of the manifest below the address of a menu. */
export const manifestName = 'manifest.webmanifest'

/** The manifest with which a phone puts a menu on its home screen. */
export function toManifest({ venue, language }: PublicMenu) {
  const { paper } = palettes[toTheme(venue.theme)].light
  const start = `/m/${venue.id}`
  return {
    name: venue.name,
    lang: language,
    start_url: start,
    scope: start,
    display: 'minimal-ui',
    background_color: paper,
    theme_color: paper,
    icons: iconSizes.map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' })),
  }
}
