/** Takes steps from a budget. Throws if it has too few. */
export type TakeSteps = (count?: number) => void

/**
 * A budget of the steps that reading or drawing one thing may take. Clocks stand still while a Worker computes, so steps are counted. An
 * isolate makes a million small steps in far less than 250 ms.
 */
export function createStepBudget(steps: number, createError: () => Error): TakeSteps {
  let left = steps
  return (count = 1) => {
    left -= count
    if (left < 0) throw createError()
  }
}

/** Lets the other requests of the isolate go on. Long work calls it between its parts. */
export const letOthersRun = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
