import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, parseEnv } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import * as z from 'zod'
import { CliError, getReason, runCommand } from './cli-error.ts'
import { projectFolder } from './demo.ts'

const usage = `Makes the copies of tags and merchants in KV agree with the database: for after a restore.

  npm run rebuild-tags -- [--url http://localhost:8787]
  npm run rebuild-tags -- --remote [--url https://menu.example.com]

Locally the service must be running; the token is that of .dev.vars. With --remote the token is the environment variable
ADMIN_TOKEN, and the address is PUBLIC_BASE_URL of wrangler.toml unless --url is given. It can be repeated at any time.`

const localUrl = 'http://localhost:8787'
const timeoutMs = 60_000
/** Attempts for one batch, and the pause between them: KV takes one write a second for a key. */
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

/** The address of the deployed service, as far as the configuration has it. */
function configuredUrl(): string | undefined {
  const { vars } = readConfig({ config: resolve(projectFolder, 'wrangler.toml') })
  return z.object({ PUBLIC_BASE_URL: z.string().optional() }).parse(vars).PUBLIC_BASE_URL
}

async function localToken(): Promise<string | undefined> {
  const file = await readFile(resolve(projectFolder, '.dev.vars'), 'utf8').catch(() => '')
  return parseEnv(file)['ADMIN_TOKEN']
}

/** One batch; what is only unavailable at the moment is tried again. */
async function rebuildBatch(url: string, token: string, cursor: string | undefined): Promise<z.output<typeof batch>> {
  const address = `${url}/admin/rebuild-tags${cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`}`
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(address, { method: 'POST', headers, signal, redirect: 'error' }).catch(
      (error: unknown) => {
        throw new CliError(`${url} does not answer: ${getReason(error)}`, 1)
      },
    )
    const body: unknown = await answer.json().catch(() => undefined)
    if (answer.ok) return batch.parse(body)
    const isPassing = answer.status === 429 || answer.status >= 500
    if (!isPassing || attempt === maxAttempts) {
      const detail = problem.safeParse(body).data?.detail ?? ''
      throw new CliError(`${url} answers ${answer.status}: ${detail} Start the command again to repeat it.`, 1)
    }
    await wait(pauseMs * attempt)
  }
}

await runCommand(async () => {
  const { url: given, remote = false, help } = readArguments()
  if (help) {
    console.log(usage)
    return 0
  }
  const url = given ?? (remote ? configuredUrl() : localUrl)
  if (url === undefined) throw new CliError('wrangler.toml has no PUBLIC_BASE_URL: give the address with --url.')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new CliError(`${url} is not an http or https address.`)
  const token = remote ? process.env['ADMIN_TOKEN'] : await localToken()
  if (!token) {
    throw new CliError(
      remote
        ? 'Set the environment variable ADMIN_TOKEN to the secret of the service.'
        : '.dev.vars has no ADMIN_TOKEN.',
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
  console.log(`KV agrees with the database at ${url}: wrote ${total.tags} keys of tags, ${total.tombstones} of deleted tags and
${total.merchants} of merchants, and deleted ${total.removed} that the database does not know.`)
  return 0
})
