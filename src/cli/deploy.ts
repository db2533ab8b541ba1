import { resolve } from 'node:path'
import { unstable_readConfig as readConfig } from 'wrangler'
import * as z from 'zod'
import { CliError, runCommand } from './cli-error.ts'
import { projectFolder } from './demo.ts'
import { reportReadReplication } from './replication.ts'
import { requirePublicUrl } from './settings.ts'
import { runWrangler, Wrangler } from './wrangler.ts'

const queueList = z.array(z.object({ queue: z.string() })).default([])
const requiredConfig = z.object({
  d1_databases: z.array(z.object({ database_name: z.string() })),
  queues: z.object({ producers: queueList, consumers: queueList }),
})

/** Runs wrangler with its output on the screen; a failure ends the deployment. */
async function runOrFail(args: readonly string[]) {
  const wrangler = new Wrangler(args)
  wrangler.show()
  if ((await wrangler.ended) !== 0) throw new CliError(`wrangler ${args.join(' ')} failed.`, 1)
}

/** Makes what the account does not have yet. Other resources wrangler makes itself, when it deploys. */
async function createIfMissing(kind: string, name: string, signal: AbortSignal) {
  const missing = await runWrangler([kind, 'info', name], signal)
  if (missing !== undefined) await runOrFail([kind, 'create', name])
}

await runCommand(async () => {
  await requirePublicUrl(process.argv.slice(2), { local: false })
  const { signal } = new AbortController()
  const { d1_databases, queues } = requiredConfig.parse(readConfig({ config: resolve(projectFolder, 'wrangler.toml') }))
  for (const { database_name } of d1_databases) await createIfMissing('d1', database_name, signal)
  const names = [...queues.producers, ...queues.consumers].map(({ queue }) => queue)
  for (const name of new Set(names)) await createIfMissing('queues', name, signal)
  // The database first: code never meets a table that is not there yet.
  await runOrFail(['d1', 'migrations', 'apply', 'DB', '--remote'])
  await runOrFail(['deploy', '--minify', ...process.argv.slice(2)])
  for (const { database_name } of d1_databases) console.log(await reportReadReplication(database_name, process.env))
  return 0
})
