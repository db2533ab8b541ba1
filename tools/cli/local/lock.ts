import { mkdirSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { CliError, getReason } from '../cli-error.ts'
import { projectFolder } from '../project-folder.ts'

/** Maximum wait of a start for another one that is writing its address, in milliseconds. */
const busyMs = 1_000
const isLocked = (error: unknown) => /database is locked/.test(getReason(error))

/**
 * Locks the state folder for this process until it ends in any way: the operating system holds the lock of a database file. Throws if another process
 * has it, with the address of its service.
 */
export function lockFolder(file: string, url: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: busyMs })
  const lock = () => database.exec('begin immediate')
  try {
    lock()
    database.exec('create table if not exists service (url text)')
    database.exec('delete from service')
    database.prepare('insert into service (url) values (?)').run(url)
    database.exec('commit')
    lock()
  } catch (error) {
    if (!isLocked(error)) throw error
    const found = database.prepare('select url from service').get()
    database.close()
    const running = z.object({ url: z.string() }).safeParse(found).data
    const place = relative(projectFolder, dirname(file)) || dirname(file)
    throw new CliError(
      `The service already runs on the folder ${place}${running ? `, at ${running.url}` : ''}. Stop it first, or start another one with --persist-to FOLDER and --port.`,
      1,
    )
  }
  process.once('exit', () => database.close())
}
