/** A time in whole seconds. */
export const toSeconds = (ms: number) => Math.floor(ms / 1000)

/** The current time in whole seconds since 1970-01-01 UTC. */
export const nowInSeconds = () => toSeconds(Date.now())
