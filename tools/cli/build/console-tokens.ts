import type { Plugin } from 'esbuild'
import { fallbackTheme } from '../../../src/platform/themes.ts'
import { createFontFaces, fontStacks } from '../../../src/storefront/pages/look/font-faces.ts'
import { alphabetNames, families } from '../../../src/storefront/pages/look/font-files.ts'
import { consoleSizes, motions, palettes, radii, signals, spaces } from '../../../src/storefront/pages/look/tokens.ts'

/** The design tokens as custom properties of the console, and its fonts. */
export function createConsoleTokens(): string {
  const { light, dark } = palettes[fallbackTheme]
  const inRem = (value: number) => `${value}rem`
  const colors = [
    ...Object.entries(light).map(([name, color]) => [name, color, new Map(Object.entries(dark)).get(name)] as const),
    ...Object.entries(signals).map(([name, [ofLight, ofDark]]) => [name, ofLight, ofDark] as const),
  ]
  const properties = {
    ...Object.fromEntries(colors.map(([name, ...both]) => [name, `light-dark(${both.join(', ')})`])),
    ...Object.fromEntries(Object.entries(consoleSizes).map(([name, size]) => [name, inRem(size)])),
    ...Object.fromEntries(spaces.map((space, index) => [`space-${index + 1}`, inRem(space)])),
    ...fontStacks,
    ...radii,
    ...motions,
    shadow: '0 0.5rem 2rem light-dark(rgb(60 40 20 / 0.16), rgb(0 0 0 / 0.6))',
  }
  const declarations = Object.entries(properties).map(([name, value]) => `--${name}:${value}`)
  return `${createFontFaces(families, alphabetNames)}:root{color-scheme:light dark;${declarations.join(';')}}`
}

/** Makes the design tokens importable as `tokens.css`. */
export const tokenStyles: Plugin = {
  name: 'token-styles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tokens\.css$/ }, ({ path }) => ({ path, namespace: 'tokens' }))
    onLoad({ filter: /./, namespace: 'tokens' }, () => ({ contents: createConsoleTokens(), loader: 'css' }))
  },
}
