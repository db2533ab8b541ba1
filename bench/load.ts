import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Requests to send. `generator.ts` fills in numbers in `path` and `body`. */
export interface Job {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
  /** Status that every response must have. */
  expected: number
  connections: number
  /** The job ends after this number of requests or seconds. */
  count: number
  seconds?: number | undefined
  /** The number of the first request. */
  first: number
  /** Requests a second. Default: as many as possible. */
  rate?: number | undefined
}

/** Result of a job; times in milliseconds. */
export interface Result {
  count: number
  perSecond: number
  p50: number
  p99: number
}

type Reply = { result: Result } | { error: string }

/** Starts the load generator in its own process, so that it does not slow down the measured Worker. */
export function createLoad() {
  const child = fork(join(import.meta.dirname, 'generator.ts'))
  return {
    run: (job: Job) =>
      new Promise<Result>((resolve, reject) => {
        child.once('message', (reply: Reply) => {
          if ('result' in reply) resolve(reply.result)
          else reject(new Error(reply.error))
        })
        child.send(job)
      }),
    close: () => child.kill(),
  }
}
export type Load = ReturnType<typeof createLoad>
