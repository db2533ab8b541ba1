/** Result of `withTimeout` after a timeout. */
export const timedOut = Symbol('timedOut')

/** Resolves with the promise's value, or with `timedOut` after `ms` milliseconds. The work itself continues. */
export const withTimeout = <Value>(ms: number, promise: Promise<Value>) =>
  new Promise<Value | typeof timedOut>((resolve, reject) => {
    const timer = setTimeout(() => resolve(timedOut), ms)
    promise.then(resolve, reject).then(() => clearTimeout(timer))
  })
