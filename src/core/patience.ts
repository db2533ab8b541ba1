/** What `within` answers in place of a value that is too long in coming. */
export const late = Symbol('late')

/** A promise's value, or `late` when it takes too long. What it stands for goes on, unwatched. */
export function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | typeof late> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
