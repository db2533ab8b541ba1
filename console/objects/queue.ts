/** Runs tasks with the same id one after the other, also after one that fails. Tasks with different ids run at once. */
export function createQueue() {
  const last = new Map<string, Promise<unknown>>()
  return <Result>(id: string, task: () => Promise<Result>): Promise<Result> => {
    const result = (last.get(id) ?? Promise.resolve()).then(task, task)
    last.set(id, result)
    return result
  }
}
