/** Limits of calls of guests. A call is over after `seconds`, done or not. */
export const callLimits = { seconds: 1_800, ofTag: 3, ofTagSeconds: 600, openOfVenue: 30 } as const
