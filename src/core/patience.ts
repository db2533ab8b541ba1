/** What `within` answers in place of a value that is too long in coming. */
export const late = Symbol('late')

/** A promise's value, or `late` when it takes too long. What it stands for goes on, unwatched. */
export const within = <Value>(ms: number, promise: Promise<Value>) =>
  new Promise<Value | typeof late>((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), ms)
    promise.then(resolve, reject).then(() => clearTimeout(timer))
  })
