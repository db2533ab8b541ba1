import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'

const root = '/dev/shm'
const prefix = 'merchant-ordering-api-tests-'
/** Free memory that a run needs, in bytes: containers may have as little as 64 MB. */
const minFree = 2 ** 30

const isRunning = (pid: number) => existsSync(`/proc/${pid}`)

/**
 * Creates a folder in memory, one for a process, which is removed when the process exits; undefined where the system has too little. The
 * databases of tests are written thousands of times, and on a disk each of these writes waits for it.
 */
export function createMemoryFolder(): string | undefined {
  try {
    const folder = `${root}/${prefix}${process.pid}`
    if (existsSync(folder)) return folder
    const { bavail, bsize } = statfsSync(root)
    if (bavail * bsize < minFree) return undefined
    // Folders of runs that were killed.
    for (const name of readdirSync(root)) {
      if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length))))
        rmSync(`${root}/${name}`, { recursive: true, force: true })
    }
    mkdirSync(folder)
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return undefined
  }
}
