/** Takes steps from a budget. Throws if it has too few. */
export type TakeSteps = (count?: number) => void

/**
 * A budget of steps for reading or drawing one thing. It counts steps, because the clock stands still while a Worker computes. An isolate makes a
 * million small steps in far less than 250 ms.
 */
export function createStepBudget(steps: number, createError: () => Error): TakeSteps {
  let left = steps
  return (count = 1) => {
    left -= count
    if (left < 0) throw createError()
  }
}

/** Lets other requests of the isolate continue. Long work calls it between its parts. */
export const letOthersRun = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
