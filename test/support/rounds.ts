import { env } from 'cloudflare:workers'

/** True in CI, where tests with random input make all their rounds. */
export const isLong = env.ROUNDS_SHARE === 1

/** How many rounds a test with random input makes, of those that it makes in CI; at least one. */
export const toRounds = (inCi: number): number => Math.ceil(inCi * env.ROUNDS_SHARE)
