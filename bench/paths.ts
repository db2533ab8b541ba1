/** Path at which `counter.ts` returns what its queue consumers used. */
export const consumedPath = '/bench/consumed'
