import { fork } from 'node:child_process'
import { join } from 'node:path'

/** Requests to make; `path` and `body` may hold numbers, which `generator.ts` fills in. */
export interface Job {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
  /** The status that every answer must have. */
  expected: number
  connections: number
  /** It ends after so many requests, or so many seconds. */
  count: number
  seconds?: number | undefined
  /** The number of the first request. */
  first: number
  /** Requests a second; without it as many as the connections take. */
  rate?: number | undefined
}

/** What came of a job; times in milliseconds. */
export interface Result {
  count: number
  perSecond: number
  p50: number
  p99: number
}

type Answer = { result: Result } | { error: string }

/** A process that makes requests, so that making them does not slow down whoever answers. */
export function createLoad() {
  const child = fork(join(import.meta.dirname, 'generator.ts'))
  return {
    run: (job: Job) =>
      new Promise<Result>((resolve, reject) => {
        child.once('message', (answer: Answer) => {
          if ('result' in answer) resolve(answer.result)
          else reject(new Error(answer.error))
        })
        child.send(job)
      }),
    close: () => child.kill(),
  }
}
export type Load = ReturnType<typeof createLoad>
