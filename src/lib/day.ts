/** Length of a day in seconds. Clock changes are left out. */
export const daySeconds = 86_400
