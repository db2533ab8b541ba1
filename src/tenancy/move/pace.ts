/** Longest pause, in milliseconds. */
const maxPauseMs = 500

/**
 * Runs a step of background work, then waits as long as the step took: requests of clients get at least half of the time of the databases.
 * Without a pause workerd on a developer's machine, where the databases are in the same process, accepts no request until the last step.
 */
export async function pace<Value>(step: () => Promise<Value>): Promise<Value> {
  const startMs = Date.now()
  const value = await step()
  await scheduler.wait(Math.min(Math.max(Date.now() - startMs, 1), maxPauseMs))
  return value
}
