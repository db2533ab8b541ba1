import type { PageLanguage } from '../messages.ts'
import { ja, ko, th, zhHans, zhHant } from './asian.ts'
import { da, de, en, nl, sv } from './germanic.ts'
import { el, fi, hu, tr } from './other-european.ts'
import { ar, he } from './right-to-left.ts'
import { es, fr, it, pt } from './romance.ts'
import { cs, pl, ru, uk } from './slavic.ts'
import type { StaffMessages } from './staff-text-shape.ts'

/** All languages, which the build writes as static assets. Nothing that is deployed imports them. */
export const staffMessagesByLanguage: Readonly<Record<PageLanguage, StaffMessages>> = {
  ...{ en, de, fr, es, it, pt, nl, pl, cs, da, sv, fi, hu, el, tr, ru, uk, ar, he, th, ja, ko },
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
}
