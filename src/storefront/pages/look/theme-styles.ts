import type { Theme } from '../../../platform/themes.ts'
import { getTextColor, toAccent } from '../accent-color.ts'
import { createFontFaces, fontStacks } from './font-faces.ts'
import type { Alphabet, Family } from './font-files.ts'
import { palettes } from './tokens.ts'

interface Design {
  families: readonly Family[]
  /** Families of text and of headings. */
  text: Family
  display: Family
  /** Weight of headings. */
  weight: number
  radius: string
  rules: string
}

/** Fonts and rules of each design; colors are in `tokens.ts`. `docs/design.md` describes them. */
const designs: Readonly<Record<Theme, Design>> = {
  cafe: {
    families: ['serif', 'sans'],
    text: 'sans',
    display: 'serif',
    weight: 600,
    radius: '.75rem',
    rules: 'header{border-top:.3rem solid var(--brand)}h3{color:var(--mark);font-size:clamp(1.2rem,8vw,1.5rem)}',
  },
  bar: {
    families: ['sans'],
    text: 'sans',
    display: 'sans',
    weight: 700,
    radius: '0',
    rules: `header{background:var(--brand);color:var(--on-brand)}header .tag li:nth-child(n),header summary,header a{color:inherit}
h1,h2,h3{text-transform:uppercase;letter-spacing:.02em}h1{font-size:1.25rem}h2{font-size:clamp(1.15rem,9vw,1.75rem)}
section{margin-top:2.25rem;padding-top:.6rem;border-top:3px solid var(--ink)}h3{font-size:clamp(.9rem,6vw,1.125rem);letter-spacing:.06em}
.dish>div>b{text-transform:none}.dish>div>span{font-weight:700}`,
  },
  fine: {
    families: ['serif'],
    text: 'serif',
    display: 'serif',
    weight: 400,
    radius: '0',
    rules: `body{font-size:1.0625rem}h1{font-size:1.375rem;letter-spacing:.04em}h2{font-size:clamp(1.5rem,11vw,2.25rem)}.about{text-align:center}
h3{font-size:clamp(.75rem,5vw,1rem);letter-spacing:.16em;text-transform:uppercase;text-align:center;color:var(--mark)}
h3::before{content:"";display:block;width:2.5rem;margin:0 auto 1.25rem;border-top:1px solid var(--mark)}
section{padding-top:3rem}section>p{text-align:center}.dish{border:0;padding:.6rem 0}.dish>div>b{font-size:1.1875rem}`,
  },
}

/** Choices of a venue that the rules depend on, and the alphabets of its page. */
export interface Look {
  theme: Theme
  /** Color of the venue: `#rrggbb`. */
  color?: string | undefined
  alphabets: readonly Alphabet[]
}

/** Style rules of a design in the color of a venue. Prints stay black. */
export function createThemeStyles({ theme, color, alphabets }: Look): string {
  const { families, text, display, weight, radius, rules } = designs[theme]
  const { light, dark } = palettes[theme]
  const accent = color === undefined ? { light: light.mark, dark: dark.mark } : toAccent(color, theme)
  const toProperties = ({ paper, card, tint, ink, soft, line }: typeof light, mark: string) =>
    `--paper:${paper};--card:${card};--tint:${tint};--ink:${ink};--soft:${soft};--line:${line};--mark:${mark}`
  const brand = (own: string) => `--brand:${color ?? own};--on-brand:${getTextColor(color ?? own)}`
  return [
    createFontFaces(families, alphabets),
    `:root{color-scheme:light dark;${toProperties(light, accent.light)};${brand(light.mark)};--text:${fontStacks[text]};--display:${fontStacks[display]};--weight:${weight};--r:${radius}}`,
    `@media (prefers-color-scheme:dark){:root{${toProperties(dark, accent.dark)};${brand(dark.mark)}}}`,
    `@media screen{${rules.replace(/\n/g, '')}}`,
    '@media print{:root{--mark:#000;--paper:#fff;--ink:#000;--soft:#333;--line:#bbb;color-scheme:light}}',
  ].join('')
}
