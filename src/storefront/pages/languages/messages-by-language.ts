import type { PageLanguage } from '../messages.ts'
import { ja, ko, th } from './asian.ts'
import { zhHans, zhHant } from './chinese.ts'
import { de, en, nl } from './germanic.ts'
import type { Messages } from './messages-shape.ts'
import { el, fi, hu, tr } from './other-european.ts'
import { ar, he } from './right-to-left.ts'
import { es, fr, it, pt } from './romance.ts'
import { da, sv } from './scandinavian.ts'
import { cs, pl, ru, uk } from './slavic.ts'

const messagesByLanguage: Readonly<Record<PageLanguage, Messages>> = {
  ...{ en, de, fr, es, it, pt, nl, pl, cs, da, sv, fi, hu, el, tr, ru, uk, ar, he, th, ja, ko },
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
}

/** The texts in a language. */
export const getMessages = (language: PageLanguage): Messages => messagesByLanguage[language]
