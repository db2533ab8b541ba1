import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { CliError, getReason, isDiskFull, runCommand } from './cli-error.ts'
import { type Demo, demoFile, openDemoMerchant, readStoredDemo, type StoredDemo, writeDemo } from './demo/demo.ts'
import { loadDemoDetails } from './demo/demo-details.ts'
import { readCatalogueFile } from './loader/catalogue-file.ts'
import { loadCatalogue } from './loader/load-catalogue.ts'
import { describeResult, isComplete } from './loader/report.ts'
import { type Address, isPortFree, maxPort, readAddress, requireFreePort, waitUntilReady } from './local/address.ts'
import { lockFolder } from './local/lock.ts'
import { createDevVars, devVarsFile } from './local/setup.ts'
import { requireWritableHome } from './local/writable.ts'
import { applyLocalMigrations } from './migration/apply.ts'
import { projectFolder } from './project-folder.ts'
import { requirePublicUrlSetting } from './settings.ts'
import { Wrangler } from './wrangler.ts'

const defaultPort = '8787'
const mcpConfig = 'packages/mcp/wrangler.toml'
const usage = `Starts the service on this machine, with a demo venue. Ctrl-C stops it.

  npm run dev -- [--port ${defaultPort}] [--ip localhost] [--persist-to FOLDER] [other flags of wrangler dev]

The MCP server runs beside it, on the next port.

The database and the keys of the demo venue stay in .wrangler, or in the folder of --persist-to. Delete it to start over.`

const parentCheckMs = 500
/** Signals of Ctrl-C, of a process manager and of a closed terminal. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

await runCommand(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    console.log(usage)
    return 0
  }
  const interruption = listenForEnd()
  const { port, ip = 'localhost', stateFolder } = readFlags(args)
  const address = readAddress(ip, port ?? defaultPort)
  const adminToken = await readAdminToken()
  await requirePublicUrlSetting(args, { local: true })
  lockFolder(resolve(dirname(demoFile(stateFolder)), 'dev.lock'), address.url)
  await requireFreePort(address)
  await requireWritableHome()
  const stored = await readStoredDemo(demoFile(stateFolder))
  await migrate(stateFolder)
  if (interruption.aborted) return 0
  console.log('Starting the service …')
  // Browsers bind passkeys to `localhost`, but never to an IP address.
  const consoleOrigin = ['--var', `CONSOLE_ORIGIN:http://localhost:${port ?? defaultPort}`]
  const wrangler = new Wrangler([
    'dev',
    ...args,
    ...(port === undefined ? ['--port', defaultPort] : []),
    ...consoleOrigin,
  ])
  return await serve(wrangler, interruption, async (over) => {
    if (!(await waitUntilReady(address, over))) return
    const demo = await openDemo(demoFile(stateFolder), stored, address, adminToken, over)
    if (over.aborted) return
    const mcp = await startMcp(ip, address, over)
    console.log(toWelcome(demo, stateFolder, mcp))
  })
})

/** A signal that is aborted when the service must stop. */
function listenForEnd(): AbortSignal {
  const controller = new AbortController()
  for (const name of endSignals) process.on(name, () => controller.abort())
  // The terminal or the command behind a pipe has closed.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => controller.abort())
  // npm sends signals to the shell around this process, which ends without forwarding them.
  const parent = process.ppid
  const watch = () => process.ppid !== parent && controller.abort()
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(watch, parentCheckMs).unref()
  return controller.signal
}

/** Reads the flags of `wrangler dev` that this command needs; wrangler gets all flags. */
function readFlags(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, strict: false, options: { port: text, ip: text, 'persist-to': text } })
  const toText = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)
  return { port: toText(values.port), ip: toText(values.ip), stateFolder: toText(values['persist-to']) }
}

/** Reads the operator's token from `.dev.vars`, which is created from the example if it is missing. */
async function readAdminToken(): Promise<string> {
  await createDevVars()
  const { ADMIN_TOKEN, ADMIN_TOKEN_NEXT } = parseEnv(await readFile(devVarsFile, 'utf8'))
  if (!ADMIN_TOKEN) throw new CliError('.dev.vars has no ADMIN_TOKEN. Copy the line from .dev.vars.example.')
  if (ADMIN_TOKEN === ADMIN_TOKEN_NEXT)
    throw new CliError('.dev.vars has equal values in ADMIN_TOKEN and ADMIN_TOKEN_NEXT.')
  return ADMIN_TOKEN
}

/** Applies the migrations to the local database. */
async function migrate(stateFolder: string | undefined): Promise<void> {
  try {
    await applyLocalMigrations(stateFolder)
  } catch (error) {
    if (isDiskFull(error)) throw error
    throw new CliError(`The migrations could not be applied to the local database:\n${getReason(error)}`, 1)
  }
}

/** Runs `start` while the service runs, waits until the service ends or is interrupted, and returns the exit code. */
async function serve(wrangler: Wrangler, interruption: AbortSignal, start: (over: AbortSignal) => Promise<void>) {
  const ended = new AbortController()
  wrangler.ended.then(() => ended.abort())
  interruption.addEventListener('abort', () => wrangler.stop())
  const over = AbortSignal.any([interruption, ended.signal])
  try {
    await start(over)
    wrangler.show({ fromStart: ended.signal.aborted })
  } catch (error) {
    if (wrangler.isDiskFull) await wrangler.stop()
    wrangler.show({ fromStart: !interruption.aborted })
    if (!over.aborted) {
      await wrangler.stop()
      throw error
    }
  }
  const code = await wrangler.ended
  await wrangler.stop()
  if (interruption.aborted) return 0
  if (wrangler.isDiskFull) return 1
  console.error('wrangler dev ended unexpectedly.')
  return code || 1
}

/** Runs the MCP server together with the service, on the next port. Returns its address; undefined if the port is not free. */
async function startMcp(ip: string, { port }: Address, over: AbortSignal): Promise<string | undefined> {
  const next = Math.min(port + 1, maxPort)
  const address = readAddress(ip, String(next))
  if (!(await isPortFree(address))) return undefined
  const wrangler = new Wrangler([
    'dev',
    '--config',
    mcpConfig,
    '--ip',
    ip,
    '--port',
    String(next),
    '--inspector-port',
    '0',
  ])
  over.addEventListener('abort', () => wrangler.stop())
  return `${address.url}/mcp`
}

/** Opens the demo merchant, and loads its catalogue if that is not loaded. */
async function openDemo(
  file: string,
  stored: StoredDemo | undefined,
  { url }: Address,
  adminToken: string,
  signal: AbortSignal,
): Promise<Demo> {
  const catalogue = await readCatalogueFile(resolve(import.meta.dirname, 'demo/demo-venue.json'))
  const demo = await openDemoMerchant(url, adminToken, stored, catalogue.merchant, console.log)
  await writeDemo(file, demo)
  if (demo.isLoaded) return demo
  console.log('Loading the demo venue …')
  const { merchantId, liveKey: key } = demo
  const result = await loadCatalogue({ url, merchantId, key, catalogue, signal })
  if (!isComplete(result)) {
    if (!signal.aborted) console.error(describeResult(catalogue, result))
    return demo
  }
  await loadDemoDetails(demo)
  const loaded = { ...demo, isLoaded: true }
  await writeDemo(file, loaded)
  return loaded
}

/** The text with first steps for a new user. */
function toWelcome(
  { url, merchantId, liveKey, testKey, consoleKey }: Demo,
  stateFolder: string | undefined,
  mcp: string | undefined,
): string {
  const merchant = `${url}/merchants/${merchantId}`
  const curl = `curl -H 'Authorization: Bearer ${liveKey}'`
  return `
Ready on ${url}

  console    ${url}/console#key=${consoleKey}
             (opens the demo venue, signed in)

  merchant   ${merchantId}
  live key   ${liveKey}
  test key   ${testKey}
  menu page  ${url}/m/${merchantId}
  reference  ${url}/docs
  MCP        ${mcp === undefined ? 'not started: the next port is in use' : `${mcp}/${merchantId}`}

The merchant and its keys are stored in ${relative(projectFolder, demoFile(stateFolder))}. Try:

  ${curl} '${merchant}/products?limit=3'
  ${curl} -H 'Content-Type: application/json' -d '{"title": "Lemon tart", "price": "4.50"}' '${merchant}/products'
  ${curl} '${merchant}/products?q=espresso'

Ctrl-C stops the service.
`
}
