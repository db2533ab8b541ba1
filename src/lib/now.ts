/** The current time in whole seconds since 1970-01-01 UTC. */
export const nowInSeconds = () => Math.floor(Date.now() / 1000)
