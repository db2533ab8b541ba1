import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getReason, ServerError } from './server-error.ts'

/** Files and folders of the data. */
export const dataPaths = (data: string) => ({
  lock: join(data, 'lock.sqlite'),
  serverId: join(data, 'server.pid'),
  runtimeId: join(data, 'workerd.pid'),
  runtime: join(data, 'workerd.sh'),
  /** Databases, objects and pictures, as workerd stores them. */
  storage: join(data, 'v3'),
})

/** Creates the folder of the data and takes its lock. The lock ends with the process. Throws if another process has it. */
export function lockData(data: string): { release(): void } {
  const paths = dataPaths(data)
  let database: DatabaseSync | undefined
  try {
    mkdirSync(paths.storage, { recursive: true })
    database = new DatabaseSync(paths.lock)
    database.exec('pragma journal_mode = delete; create table if not exists lock (id integer); begin exclusive')
    writeFileSync(paths.serverId, `${process.pid}\n`)
  } catch (error) {
    database?.close()
    const reason = getReason(error)
    if (!reason.includes('locked')) throw new ServerError(`The folder ${data} cannot be written: ${reason}.`)
    throw new ServerError(`The server with the process id ${readId(paths.serverId)} uses the data in ${data}.`)
  }
  const held = database
  return {
    release() {
      rmSync(paths.serverId, { force: true })
      held.close()
    },
  }
}

/** The id in a file; undefined if the file does not exist. */
export function readId(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}
