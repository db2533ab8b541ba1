import { parseArgs } from 'node:util'
import * as z from 'zod'
import { CliError, getReason, runCommand } from '../cli-error.ts'
import { connectOperator, localUrl, serviceOptions, urlHelp } from './service.ts'

const usage = `Rebuilds the copies of tags and merchants in KV from the database, for example after a restore.

  npm run rebuild-tags -- [--url ${localUrl}]
  npm run rebuild-tags -- --remote [--url https://menu.example.com]

  --remote  Rebuild the deployed service. Requires the environment variable ADMIN_TOKEN.
  --url     ${urlHelp}

Without --remote, the service must run locally and the token comes from .dev.vars. The command can be repeated safely.`

const counts = { tags: z.number(), tombstones: z.number(), merchants: z.number(), removed: z.number() }
const batch = z.object({ ...counts, cursor: z.string().optional() })

function readArguments() {
  try {
    return parseArgs({ options: serviceOptions }).values
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

await runCommand(async () => {
  const { help, ...flags } = readArguments()
  if (help) {
    console.log(usage)
    return 0
  }
  const service = await connectOperator(flags)
  const total = { tags: 0, tombstones: 0, merchants: 0, removed: 0 }
  let cursor: string | undefined
  do {
    const search = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`
    const done: z.output<typeof batch> = await service.call(batch, 'POST', `/admin/rebuild-tags${search}`)
    total.tags += done.tags
    total.tombstones += done.tombstones
    total.merchants += done.merchants
    total.removed += done.removed
    cursor = done.cursor
    if (process.stderr.isTTY) process.stderr.write(`\r${total.tags + total.tombstones + total.merchants} keys`)
  } while (cursor !== undefined)
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(`KV matches the database at ${service.url}.
Keys written: ${total.tags} of tags, ${total.tombstones} of deleted tags, ${total.merchants} of merchants.
Keys deleted because the database does not have them: ${total.removed}.`)
  return 0
})
