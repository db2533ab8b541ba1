import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { CliError, runCommand } from './cli-error.ts'
import { createDemo, type Demo, demoFile, isAlive, projectFolder, readDemo, writeDemo } from './demo.ts'
import { readCatalogue } from './loader/catalogue-file.ts'
import { loadCatalogue } from './loader/load-catalogue.ts'
import { describeResult, isComplete } from './loader/report.ts'
import { type Address, readAddress, requireFreePort, waitUntilReady } from './local-address.ts'
import { applyMigrations, createDevVars, devVarsFile } from './local-setup.ts'
import { requirePublicUrl } from './settings.ts'
import { Wrangler } from './wrangler.ts'

const usage = `Starts the service on this machine, with a demo venue in it.

  npm run dev -- [--port 8787] [--persist-to FOLDER] [any other flag of wrangler dev]`

const defaultPort = '8787'
const parentCheckMs = 500
/** What Ctrl-C, a process manager and a closed terminal send. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

await runCommand(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const interruption = listenForEnd()
  const { port, ip = 'localhost', stateFolder } = readFlags(args)
  const address = readAddress(ip, port ?? defaultPort)
  const adminToken = await readAdminToken()
  await requirePublicUrl(args, { local: true })
  await requireFreePort(address)
  await migrate(stateFolder, interruption)
  if (interruption.aborted) return 0
  console.log('Starting the service …')
  const wrangler = new Wrangler(['dev', ...args, ...(port === undefined ? ['--port', defaultPort] : [])])
  return await serve(wrangler, interruption, async (over) => {
    if (!(await waitUntilReady(address, over))) return
    const demo = await openDemo(demoFile(stateFolder), address, adminToken, over)
    if (!over.aborted) console.log(invitation(demo, stateFolder))
  })
})

/** A signal that is given once the service shall end. */
function listenForEnd(): AbortSignal {
  const controller = new AbortController()
  for (const ending of endings) process.on(ending, () => controller.abort())
  // Nobody reads what we print: the terminal is gone, or the command behind a pipe.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => controller.abort())
  // npm hands a signal to the shell it runs us in, and that one dies without telling us.
  const parent = process.ppid
  const watch = () => process.ppid !== parent && controller.abort()
  if (process.env['npm_lifecycle_event'] !== undefined) setInterval(watch, parentCheckMs).unref()
  return controller.signal
}

/** The flags of `wrangler dev` that matter here; it gets all of them. */
function readFlags(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, strict: false, options: { port: text, ip: text, 'persist-to': text } })
  const given = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined)
  return { port: given(values.port), ip: given(values.ip), stateFolder: given(values['persist-to']) }
}

/** The operator's token, from `.dev.vars`; a project without that file gets the example's. */
async function readAdminToken(): Promise<string> {
  await createDevVars()
  const { ADMIN_TOKEN } = parseEnv(await readFile(devVarsFile, 'utf8'))
  if (!ADMIN_TOKEN) throw new CliError('.dev.vars has no ADMIN_TOKEN. Copy the line from .dev.vars.example.')
  return ADMIN_TOKEN
}

/** Brings the local database to what the code expects. */
async function migrate(stateFolder: string | undefined, signal: AbortSignal): Promise<void> {
  const complaint = await applyMigrations(stateFolder, signal)
  if (complaint !== undefined && !signal.aborted) {
    throw new CliError(`The local database could not be prepared:\n${complaint}`, 1)
  }
}

/** Lets the service run until it ends or is stopped; `start` is done beside it. Answers the exit code. */
async function serve(wrangler: Wrangler, interruption: AbortSignal, start: (over: AbortSignal) => Promise<void>) {
  const ended = new AbortController()
  wrangler.ended.then(() => ended.abort())
  interruption.addEventListener('abort', () => wrangler.stop())
  const over = AbortSignal.any([interruption, ended.signal])
  try {
    await start(over)
    wrangler.show({ fromStart: ended.signal.aborted })
  } catch (error) {
    wrangler.show({ fromStart: !interruption.aborted })
    if (!over.aborted) {
      await wrangler.stop()
      throw error
    }
  }
  const code = await wrangler.ended
  await wrangler.stop()
  if (interruption.aborted) return 0
  console.error('wrangler dev has ended by itself.')
  return code || 1
}

/** The demo merchant, made and filled where there is none, or where its database is gone. */
async function openDemo(file: string, { url }: Address, adminToken: string, signal: AbortSignal): Promise<Demo> {
  const catalogue = await readCatalogue(resolve(import.meta.dirname, 'demo-venue.json'))
  const known = await readDemo(file)
  const found = known && { ...known, url }
  const demo = found && (await isAlive(found)) ? found : await createDemo(url, adminToken, catalogue.merchant)
  await writeDemo(file, demo)
  if (demo.isLoaded) return demo
  console.log('Loading the demo venue …')
  const { merchantId, liveKey: key } = demo
  const result = await loadCatalogue({ url, merchantId, key, catalogue, signal })
  if (!isComplete(result)) {
    if (!signal.aborted) console.error(describeResult(catalogue, result))
    return demo
  }
  const loaded = { ...demo, isLoaded: true }
  await writeDemo(file, loaded)
  return loaded
}

/** What somebody who sees the service for the first time can do with it. */
function invitation({ url, merchantId, liveKey, testKey }: Demo, stateFolder: string | undefined): string {
  const merchant = `${url}/merchants/${merchantId}`
  const curl = `curl -H 'Authorization: Bearer ${liveKey}'`
  return `
Ready on ${url}

  merchant  ${merchantId}
  live key  ${liveKey}
  test key  ${testKey}

They are kept in ${relative(projectFolder, demoFile(stateFolder))}. Try:

  ${curl} '${merchant}/products?limit=3'
  ${curl} -H 'Content-Type: application/json' -d '{"title": "Lemon tart", "price": "4.50"}' '${merchant}/products'
  ${curl} '${merchant}/products?q=espresso'

Ctrl-C stops the service.
`
}
