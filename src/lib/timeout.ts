/** What `within` answers in place of a value that is too long in coming. */
export const timedOut = Symbol('late')

/** A promise's value, or `late` when it takes too long. What it stands for goes on, unwatched. */
export const withTimeout = <Value>(ms: number, promise: Promise<Value>) =>
  new Promise<Value | typeof timedOut>((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).then(() => clearTimeout(timer))
  })
