/** Maximum pause, in milliseconds. */
const maxPauseMs = 500

/**
 * Runs a step of background work, then waits as long as the step took, so that requests get at least half of the databases' time. On a developer's
 * machine, the databases are in the workerd process. Without a pause, it would accept no request until the last step.
 */
export async function pace<Value>(step: () => Promise<Value>): Promise<Value> {
  const startMs = Date.now()
  const value = await step()
  await scheduler.wait(Math.min(Math.max(Date.now() - startMs, 1), maxPauseMs))
  return value
}
