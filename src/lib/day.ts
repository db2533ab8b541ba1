/** Length of a day in seconds. Clock changes are left out. */
export const daySeconds = 86_400

/** The last second of the year 9999: `Date` writes later times with a year of more than four digits. */
export const maxSeconds = 253_402_300_799
