import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { createBackup } from './backup/create-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { readConfiguration, readDataFolder } from './configuration.ts'
import { serve } from './serve.ts'
import { getReason, ServerError } from './server-error.ts'

const usage = `Runs the Merchant Ordering Management API on this machine.

  merchant-ordering-server [--data ./data] [--port 8080] [--host 0.0.0.0] [--accept-newer-data]
  merchant-ordering-server backup FILE [--data ./data]
  merchant-ordering-server restore FILE [--data ./data] [--replace]

backup writes all data into one file, also while the server runs. restore reads it into a folder without data; --replace keeps the present
data beside it. --accept-newer-data runs on data that a newer release has written.

Environment:
  ADMIN_TOKEN             token of the operator, at least 128 bits: openssl rand -hex 32
  ADMIN_TOKEN_NEXT        a second token, while it replaces the first
  PUBLIC_BASE_URL         address of the server for guests, such as https://menu.example.com
  CONSOLE_ORIGIN          address of the console, if it is another one
  BACKUP_DIR              folder for a backup of all data each night
  TRUSTED_PROXIES         addresses of proxies whose X-Forwarded-For counts, separated by commas
  ALLOW_PRIVATE_WEBHOOKS  private addresses that webhooks may reach, such as 192.168.1.0/24
  RATE_LIMITS             off: no limits of requests
  DATA, PORT, HOST        in place of the flags`

/** Reads the arguments. Throws an error with one sentence for a flag that does not exist. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        'accept-newer-data': { type: 'boolean' },
        replace: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    // Node explains in further sentences how else to pass such a text.
    const [sentence = ''] = getReason(error).split(/\.(?: |$)/)
    throw new ServerError(`${sentence}. --help lists all options.`)
  }
}
type Flags = ReturnType<typeof readArguments>['values']

const commands: Readonly<Record<string, (file: string, flags: Flags) => Promise<void>>> = {
  async backup(file, flags) {
    const { files, bytes } = await createBackup(readDataFolder(flags, process.env), resolve(file), version)
    console.log(`Wrote ${files} files, ${bytes} bytes, to ${file}.`)
  },
  async restore(file, flags) {
    const options = { replace: flags.replace ?? false }
    const { manifest, kept } = await restoreBackup(readDataFolder(flags, process.env), resolve(file), options)
    const time = new Date(manifest.createdAt * 1000).toISOString()
    console.log(`Restored ${manifest.files.length} files of the backup of ${time}.`)
    if (kept !== undefined) console.log(`The data before it is in ${kept}.`)
  },
}

async function run(): Promise<void> {
  const { values: flags, positionals } = readArguments()
  if (flags.help) return console.log(usage)
  if (flags.version) return console.log(version)
  const [name, file, ...more] = positionals
  if (name === undefined)
    return serve(readConfiguration(flags, process.env), { acceptNewer: flags['accept-newer-data'] ?? false })
  const command = commands[name]
  if (!command || file === undefined || more.length > 0) throw new ServerError(usage)
  await command(file, flags)
}

try {
  await run()
  process.exit(0)
} catch (error) {
  if (!(error instanceof ServerError)) throw error
  console.error(error.message)
  process.exit(2)
}
