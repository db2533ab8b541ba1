import { createExecutionContext } from 'cloudflare:test'
import worker from '../../src/index.ts'

/** Longest wait for work that may hang on purpose, in milliseconds. */
const maxWaitMs = 50
const pending = new Set<Promise<unknown>>()

type WaitUntil = (work: Promise<unknown>) => void
/** Keeps the work that is passed to `waitUntil` of an object until it ends. */
function watch(owner: { waitUntil: WaitUntil }) {
  const waitUntil = owner.waitUntil
  owner.waitUntil = function (this: unknown, work) {
    pending.add(work)
    const end = () => pending.delete(work)
    work.then(end, end)
    return waitUntil.call(this, work)
  }
}
watch(Object.getPrototypeOf(createExecutionContext()))
const { fetch } = worker
worker.fetch = (request, env, context) => {
  if (Object.getPrototypeOf(context) !== Object.getPrototypeOf(createExecutionContext())) watch(context)
  return fetch(request, env, context)
}

/** Waits for the work behind responses, also where it has just ended. */
export async function finishBackgroundWork(): Promise<void> {
  const endMs = performance.now() + maxWaitMs
  do await scheduler.wait(2)
  while (pending.size > 0 && performance.now() < endMs)
  pending.clear()
}
