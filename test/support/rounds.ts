import { env } from 'cloudflare:workers'

/** True in CI, where tests with random input make all their rounds. */
export const isLong = env.ROUNDS_SHARE >= 1

/** All values in CI; otherwise `count` of them, spread over the list, with the first and the last. */
export function spread<Value>(values: readonly Value[], count: number): readonly Value[] {
  if (isLong || values.length <= count) return values
  const last = values.length - 1
  const indexes = new Set(Array.from({ length: count }, (_, n) => Math.round((n * last) / (count - 1))))
  return values.filter((_, index) => indexes.has(index))
}

/** All values in CI; otherwise each `count`th from `first`, so that calls with consecutive `first` use all values. */
export const rotate = <Value>(values: readonly Value[], count: number, first: number): readonly Value[] =>
  isLong ? values : values.filter((_, index) => (index + first) % count === 0)

/** How many rounds a test with random input makes, of those that it makes in CI; at least one. */
export const toRounds = (inCi: number): number => Math.ceil(inCi * env.ROUNDS_SHARE)
