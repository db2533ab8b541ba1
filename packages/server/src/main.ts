import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { readConfiguration } from './configuration.ts'
import { serve } from './serve.ts'
import { getReason, ServerError } from './server-error.ts'

const usage = `Runs the Merchant Ordering Management API on this machine.

  merchant-ordering-server [--data ./data] [--port 8080] [--host 0.0.0.0] [--accept-newer-data]

Environment:
  ADMIN_TOKEN             token of the operator, at least 128 bits: openssl rand -hex 32
  ADMIN_TOKEN_NEXT        a second token, while it replaces the first
  PUBLIC_BASE_URL         address of the server for guests, such as https://menu.example.com
  CONSOLE_ORIGIN          address of the console, if it is another one
  TRUSTED_PROXIES         addresses of proxies whose X-Forwarded-For counts, separated by commas
  ALLOW_PRIVATE_WEBHOOKS  private addresses that webhooks may reach, such as 192.168.1.0/24
  RATE_LIMITS             off: no limits of requests
  DATA, PORT, HOST        in place of the flags

--accept-newer-data runs on data that a newer release has written.`

/** Reads the flags. Throws an error with one sentence for one that does not exist. */
function readFlags() {
  try {
    return parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        'accept-newer-data': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new ServerError(getReason(error))
  }
}

async function run(): Promise<void> {
  const flags = readFlags()
  if (flags.help) return console.log(usage)
  if (flags.version) return console.log(version)
  await serve(readConfiguration(flags, process.env), { acceptNewer: flags['accept-newer-data'] ?? false })
}

try {
  await run()
  process.exit(0)
} catch (error) {
  if (!(error instanceof ServerError)) throw error
  console.error(error.message)
  process.exit(2)
}
