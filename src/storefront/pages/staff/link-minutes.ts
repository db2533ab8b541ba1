import { linkSeconds } from '../../../platform/auth/signed-link.ts'

/** Lifetime of a signed link in minutes. Translations have the plural of 15, which other numbers need not share. */
export const linkMinutes = linkSeconds / 60
