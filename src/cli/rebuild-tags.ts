import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import * as z from 'zod'
import { CliError, getReason, runCommand } from './cli-error.ts'
import { projectFolder } from './demo.ts'

const localUrl = 'http://localhost:8787'
const usage = `Rebuilds the copies of tags and merchants in KV from the database, for example after a restore.

  npm run rebuild-tags -- [--url ${localUrl}]
  npm run rebuild-tags -- --remote [--url https://menu.example.com]

  --remote  Rebuild the deployed service. Requires the environment variable ADMIN_TOKEN.
  --url     Origin of the service. Default: ${localUrl}; with --remote, PUBLIC_BASE_URL of wrangler.toml.

Without --remote, the service must run locally and the token comes from .dev.vars. The command can be repeated safely.`

const timeoutMs = 60_000
/** Attempts for one batch, and the pause between them: KV accepts one write a second for each key. */
const maxAttempts = 5
const pauseMs = 2_000
const counts = { tags: z.number(), tombstones: z.number(), merchants: z.number(), removed: z.number() }
const batch = z.object({ ...counts, cursor: z.string().optional() })
const problem = z.object({ detail: z.string() })

function readArguments() {
  try {
    const options = {
      url: { type: 'string' },
      remote: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const
    return parseArgs({ options }).values
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

/** The origin of the deployed service; undefined if the configuration has none. */
function readConfiguredUrl(): string | undefined {
  const { vars } = readConfig({ config: resolve(projectFolder, 'wrangler.toml') })
  return z.object({ PUBLIC_BASE_URL: z.string().optional() }).parse(vars).PUBLIC_BASE_URL
}

async function readLocalToken(): Promise<string | undefined> {
  const file = await readFile(resolve(projectFolder, '.dev.vars'), 'utf8').catch(() => '')
  return parseEnv(file)['ADMIN_TOKEN']
}

/** Rebuilds one batch. Retries temporary errors. */
async function rebuildBatch(url: string, token: string, cursor: string | undefined): Promise<z.output<typeof batch>> {
  const address = `${url}/admin/rebuild-tags${cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`}`
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(address, { method: 'POST', headers, signal, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new CliError(`${url} does not respond: ${getReason(error)}`, 1)
      },
    )
    const body: unknown = await response.json().catch(() => undefined)
    if (response.ok) return batch.parse(body)
    const isTemporary = response.status === 429 || response.status >= 500
    if (!isTemporary || attempt === maxAttempts) {
      const detail = problem.safeParse(body).data?.detail ?? ''
      throw new CliError(`${url} returned ${response.status}: ${detail} Run the command again to repeat it.`, 1)
    }
    await wait(pauseMs * attempt)
  }
}

await runCommand(async () => {
  const { url: requestedUrl, remote = false, help } = readArguments()
  if (help) {
    console.log(usage)
    return 0
  }
  const url = requestedUrl ?? (remote ? readConfiguredUrl() : localUrl)
  if (url === undefined)
    throw new CliError('wrangler.toml has no PUBLIC_BASE_URL. Pass the origin of the service with --url.')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new CliError(`${url} is not an http or https address.`)
  const token = remote ? process.env['ADMIN_TOKEN'] : await readLocalToken()
  if (!token) {
    throw new CliError(
      remote
        ? 'Set the environment variable ADMIN_TOKEN to the operator token of the service.'
        : '.dev.vars has no ADMIN_TOKEN. Copy the line from .dev.vars.example.',
    )
  }
  const total = { tags: 0, tombstones: 0, merchants: 0, removed: 0 }
  let cursor: string | undefined
  do {
    const done = await rebuildBatch(url.replace(/\/+$/, ''), token, cursor)
    total.tags += done.tags
    total.tombstones += done.tombstones
    total.merchants += done.merchants
    total.removed += done.removed
    cursor = done.cursor
    if (process.stderr.isTTY) process.stderr.write(`\r${total.tags + total.tombstones + total.merchants} keys`)
  } while (cursor !== undefined)
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(`KV matches the database at ${url}.
Keys written: ${total.tags} of tags, ${total.tombstones} of deleted tags, ${total.merchants} of merchants.
Keys deleted because the database does not have them: ${total.removed}.`)
  return 0
})
