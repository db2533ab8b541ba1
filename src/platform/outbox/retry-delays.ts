/** Seconds between a failed attempt and the next one: ten attempts over three days, as Standard Webhooks proposes. */
export const delays = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Attempts of one delivery. */
export const maxAttempts = delays.length
