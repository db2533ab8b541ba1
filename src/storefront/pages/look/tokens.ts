import type { Theme } from '../../../platform/themes.ts'

/** Colors of a design in one scheme. Texts have a contrast of at least 4.5 with `paper`, `card` and `tint`. */
interface Palette {
  /** Background of pages. */
  paper: string
  /** Background of raised areas. */
  card: string
  /** Background of marked areas. */
  tint: string
  ink: string
  /** Text of less importance. */
  soft: string
  /** Lines between things. */
  line: string
  /** Headings and links, unless the venue has a color. */
  mark: string
}

export const palettes: Readonly<Record<Theme, { light: Palette; dark: Palette }>> = {
  cafe: {
    light: {
      paper: '#fdf9f3',
      card: '#fffefb',
      tint: '#f6ecdd',
      ink: '#241c15',
      soft: '#6a5d50',
      line: '#eadfce',
      mark: '#96380f',
    },
    dark: {
      paper: '#171310',
      card: '#201a16',
      tint: '#2b221b',
      ink: '#f4ece2',
      soft: '#bbad9c',
      line: '#3a3029',
      mark: '#f2a56e',
    },
  },
  bar: {
    light: {
      paper: '#f4f4f0',
      card: '#fdfdfb',
      tint: '#e8e8e1',
      ink: '#131418',
      soft: '#585a61',
      line: '#d2d2ca',
      mark: '#a3123a',
    },
    dark: {
      paper: '#0f1013',
      card: '#17181d',
      tint: '#1f2127',
      ink: '#f3f2ee',
      soft: '#a8a9b0',
      line: '#2f3138',
      mark: '#ff8098',
    },
  },
  fine: {
    light: {
      paper: '#fbfaf6',
      card: '#fffffd',
      tint: '#f1eee4',
      ink: '#20201c',
      soft: '#64615a',
      line: '#dcd8ca',
      mark: '#6b5420',
    },
    dark: {
      paper: '#11130f',
      card: '#191b16',
      tint: '#20231c',
      ink: '#efece2',
      soft: '#b0ac9d',
      line: '#34362d',
      mark: '#d9bf80',
    },
  },
}

/** Colors with a meaning, in the console. */
export const signals = {
  edge: ['#8c8072', '#857a6c'],
  'on-mark': ['#fffdfa', '#241205'],
  hover: ['#f4ede2', '#2a231e'],
  good: ['#1d6b3f', '#7fd1a0'],
  bad: ['#a81f2c', '#ff9a9a'],
  'on-bad': ['#fffdfa', '#2b0608'],
  'bad-tint': ['#fbe9e8', '#3a1d1e'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

/** Sizes of type in the console, in rem: 13, 15, 17, 20 and 28 pixels. */
export const consoleSizes = { small: 0.8125, text: 0.9375, large: 1.0625, title: 1.25, head: 1.75 } as const

/** Distances, in rem: 4, 8, 12, 16, 24, 32 and 48 pixels. */
export const spaces = [0.25, 0.5, 0.75, 1, 1.5, 2, 3] as const

/** Corners: of buttons and fields, and of cards and pictures. */
export const radii = { radius: '0.5rem', 'radius-large': '0.875rem' } as const

/** Durations of movements. None if the reader prefers reduced motion. */
export const motions = { moving: '0.12s', rise: 'rise 0.16s ease-out' } as const
