import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { backUpNightly } from './backup/nightly.ts'
import type { Configuration } from './configuration.ts'
import { lockData } from './data-folder.ts'
import { startGateway } from './gateway.ts'
import { directoryFile, migrate } from './migrations.ts'
import { migrationFolder, readWorkerOptions } from './runtime/package-files.ts'
import { endSignals, startPlatform } from './runtime/platform.ts'
import { watchRuntime } from './runtime/tag-copies.ts'
import { getReason } from './server-error.ts'

/** Time for requests to end after SIGTERM, in milliseconds. */
const drainMs = 10_000
const minuteMs = 60_000
/** Time after the start when its memory is freed, in milliseconds. */
const settleMs = 2_000

const runProgram = promisify(execFile)

/** Calls the cron trigger at the start of each minute until the signal. One call at a time. */
async function ringEachMinute(run: () => Promise<void>, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, minuteMs - (Date.now() % minuteMs))
      over.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
    })
    if (over.aborted) return
    try {
      await run()
    } catch (error) {
      console.error(`The work of this minute failed and is repeated: ${getReason(error)}`)
    }
  }
}

/** Makes the backup of the day, in a process of its own: requests do not wait for it. */
async function backUp({ data, backupFolder }: Configuration): Promise<void> {
  const [, program = ''] = process.argv
  if (backupFolder === undefined) return
  await backUpNightly(backupFolder, new Date(), async (file) => {
    await runProgram(process.execPath, [program, 'backup', file, '--data', data])
    console.log(`Wrote the backup ${file}.`)
  })
}

/** Frees what a start, or a time with many requests, has left. The program starts with the flag that allows it. */
const freeMemory = () => globalThis.gc?.()

/** Runs the server until SIGTERM or SIGINT. */
export async function serve(configuration: Configuration, { acceptNewer }: { acceptNewer: boolean }): Promise<void> {
  const { data, host, port, trustedProxies } = configuration
  const startMs = Date.now()
  const signalled = Promise.race(endSignals.map((signal) => once(process, signal)))
  const lock = lockData(data)
  const options = await readWorkerOptions()
  const gateway = await startGateway(host, port, trustedProxies)
  migrate(directoryFile(data, options.d1Databases.DB.id), migrationFolder, { acceptNewer })
  const platform = await startPlatform(configuration, options)
  gateway.open(platform.origin)
  setTimeout(freeMemory, settleMs).unref()
  console.log(`Ready on http://${host.includes(':') ? `[${host}]` : host}:${port} after ${Date.now() - startMs} ms.`)
  const over = new AbortController()
  const { ADMIN_TOKEN: adminToken = '' } = configuration.variables
  const works = [
    () => platform.runScheduled(),
    () => backUp(configuration),
    async () => {
      if (gateway.isQuiet()) freeMemory()
    },
    watchRuntime(data, platform.origin, adminToken),
  ]
  const ringing = works.map((work) => ringEachMinute(work, over.signal))
  await signalled
  console.log('Stopping: requests in progress may take 10 seconds.')
  over.abort()
  await gateway.drain(drainMs)
  await platform.stop()
  await Promise.all(ringing)
  lock.release()
}
