import type { Locator } from 'playwright-core'

/** Actions of a person, counted: taps, and fields that are filled. */
export function createActions() {
  let count = 0
  return {
    tap(target: Locator) {
      count++
      return target.click()
    },
    fill(target: Locator, text: string) {
      count++
      return target.fill(text)
    },
    /** Counts inputs that the test makes in another way, such as choosing a file. */
    add(inputs: number) {
      count += inputs
    },
    count: () => count,
  }
}
