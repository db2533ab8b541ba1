import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Time between two looks, in milliseconds. */
const pauseMs = 1

/**
 * Kills a group of processes as soon as a row of their database fulfills a condition. A thread of its own: a state lasts for some
 * milliseconds. Posts whether it has killed them.
 */
const { file, found, isOpen, group, maxMs } = workerData
const database = new DatabaseSync(file, { readOnly: true })
const [isFound, isActive] = [database.prepare(found), database.prepare(isOpen)]
const sleeper = new Int32Array(new SharedArrayBuffer(4))
let isKilled = false
for (const endMs = Date.now() + maxMs; Date.now() < endMs; Atomics.wait(sleeper, 0, 0, pauseMs)) {
  if (isFound.get()) {
    process.kill(-group, 'SIGKILL')
    isKilled = true
    break
  }
  if (!isActive.get()) break
}
database.close()
parentPort?.postMessage(isKilled)
