import { CliError, runCommand } from './cli-error.ts'
import { settleHome, takeHome } from './default-home.ts'
import { reportReadReplication } from './replication.ts'
import { readEnvironmentName, requirePublicUrlSetting } from './settings.ts'
import { runWrangler, Wrangler } from './wrangler.ts'
import { getVariables, readWranglerConfig, requireEnvironment } from './wrangler-config.ts'

/** Runs wrangler and shows its output. Throws if it fails. */
async function runOrFail(args: readonly string[]) {
  const wrangler = new Wrangler(args)
  wrangler.show()
  if ((await wrangler.ended) !== 0) throw new CliError(`The deployment stopped: wrangler ${args.join(' ')} failed.`, 1)
}

const usage = `Deploys the service: creates the database, queues and bucket that the account lacks, applies the migrations, deploys the Worker
and enables read replication. With --env all of these are those of the environment in wrangler.toml, which needs bindings of its own.

  npm run deploy -- [--env NAME] [--home d1|object] [--var NAME:VALUE] [other flags of wrangler deploy]

Asks once for the home of new merchants, and keeps the answer in wrangler.toml (DEFAULT_HOME); --home answers it. Without a terminal, and
with CI set, it does not ask, and the home is d1. With --dry-run it only builds the Worker, like wrangler.

Log in first with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.
The README describes the secrets and variables.`

await runCommand(async () => {
  const given = process.argv.slice(2)
  if (given.includes('--help') || given.includes('-h')) {
    console.log(usage)
    return 0
  }
  const taken = takeHome(given)
  const args = taken.rest
  await requirePublicUrlSetting(args, { local: false })
  if (args.some((arg) => arg.startsWith('--dry-run'))) {
    await runOrFail(['deploy', ...args])
    return 0
  }
  const { signal } = new AbortController()
  const environment = readEnvironmentName(args)
  const config = await readWranglerConfig()
  const { d1_databases, r2_buckets, queues } = requireEnvironment(config, environment)
  await settleHome(taken, environment, getVariables(config, environment))
  const flags = environment === undefined ? [] : ['--env', environment]
  /** Creates a resource that the account lacks. `wrangler deploy` creates the other resources. */
  async function createIfMissing(command: readonly string[], name: string) {
    const error = await runWrangler([...command, 'info', name, ...flags], signal)
    if (error !== undefined) await runOrFail([...command, 'create', name, ...flags])
  }
  for (const { database_name } of d1_databases) await createIfMissing(['d1'], database_name)
  const names = [...queues.producers, ...queues.consumers].map(({ queue }) => queue)
  for (const name of new Set(names)) await createIfMissing(['queues'], name)
  for (const { bucket_name } of r2_buckets) await createIfMissing(['r2', 'bucket'], bucket_name)
  // Migrations come first: the new code needs their tables.
  await runOrFail(['d1', 'migrations', 'apply', 'DB', '--remote', ...flags])
  await runOrFail(['deploy', ...args])
  for (const { database_name } of d1_databases) console.log(await reportReadReplication(database_name, process.env))
  return 0
})
