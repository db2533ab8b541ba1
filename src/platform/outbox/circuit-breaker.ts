/** Consecutive failures after which a webhook's deliveries use the slow queue, so that they do not delay other deliveries. */
export const failuresUntilSlow = 3

/**
 * `failures`: consecutive failures after which an endpoint counts as broken. The service then calls it once every `pause` seconds. Its other
 * deliveries are parked: they stay pending without a message until a call succeeds.
 */
export const circuitBreaker = { failures: 10, pause: 30 } as const
