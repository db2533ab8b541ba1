import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { CliError, getReason } from '../cli-error.ts'
import { demoFile, readStoredDemo } from '../demo/demo.ts'
import { projectFolder } from '../project-folder.ts'
import { getVariables, readWranglerConfig } from '../wrangler-config.ts'

/** Text of the default of `--url`. */
export const localUrl = 'http://localhost:8787'
export const urlHelp = `Origin of the service. Default: that of the last npm run dev, otherwise ${localUrl}; with --remote, PUBLIC_BASE_URL of wrangler.toml.`

/** The origin of the last `npm run dev`, whose port can differ from the default. */
const readLocalUrl = async () => (await readStoredDemo(demoFile()))?.url ?? localUrl

/** Flags of every command that calls the operator routes of a service. */
export const serviceOptions = {
  url: { type: 'string' },
  remote: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Maximum number of attempts of one request, and the pause between them in milliseconds. */
const maxAttempts = 5
const pauseMs = 2_000
/** Maximum time that a request takes, in milliseconds. */
const timeoutMs = 120_000
const problem = z.object({ detail: z.string(), code: z.string().optional() })

/** The origin of the deployed service; undefined if the configuration has none. */
async function readConfiguredUrl(): Promise<string | undefined> {
  const variables = getVariables(await readWranglerConfig(), undefined)
  return z.object({ PUBLIC_BASE_URL: z.string().optional() }).parse(variables).PUBLIC_BASE_URL
}

async function readLocalToken(): Promise<string | undefined> {
  const file = await readFile(resolve(projectFolder, '.dev.vars'), 'utf8').catch(() => '')
  return parseEnv(file)['ADMIN_TOKEN']
}

/** A response with which the service rejected a request. */
export class RejectedError extends CliError {
  readonly status: number
  constructor(status: number, message: string) {
    super(message, 1)
    this.status = status
  }
}

/** The service of the flags `--remote` and `--url`. Repeats requests after temporary failures. These requests are safe to repeat. */
export async function connectOperator({ url: requestedUrl, remote = false }: { url?: string; remote?: boolean }) {
  const found = requestedUrl ?? (remote ? await readConfiguredUrl() : await readLocalUrl())
  if (found === undefined)
    throw new CliError('wrangler.toml has no PUBLIC_BASE_URL. Pass the origin of the service with --url.')
  if (!/^https?:$/.test(URL.parse(found)?.protocol ?? ''))
    throw new CliError(`${found} is not an http or https address.`)
  const token = remote ? process.env['ADMIN_TOKEN'] : await readLocalToken()
  if (!token) {
    throw new CliError(
      remote
        ? 'Set the environment variable ADMIN_TOKEN to the operator token of the service.'
        : '.dev.vars has no ADMIN_TOKEN. Copy the line from .dev.vars.example.',
    )
  }
  const url = found.replace(/\/+$/, '')
  async function request(method: string, path: string, init: { json?: object; file?: Blob } = {}): Promise<Response> {
    const { json, file } = init
    const headers = {
      authorization: `Bearer ${token}`,
      ...(json ? { 'content-type': 'application/json' } : file ? { 'content-type': 'application/gzip' } : {}),
    }
    const body = json ? JSON.stringify(json) : file
    for (let attempt = 1; ; attempt++) {
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await fetch(url + path, {
        method,
        headers,
        signal,
        redirect: 'error',
        ...(body && { body }),
      }).catch((error: unknown) => {
        throw new CliError(`${url} does not respond: ${getReason(error)}`, 1)
      })
      if (response.ok) return response
      const isTemporary = response.status === 429 || response.status >= 500
      if (!isTemporary || attempt === maxAttempts) {
        const detail = problem.safeParse(await response.json().catch(() => undefined)).data?.detail ?? ''
        throw new RejectedError(
          response.status,
          `${url} returned ${response.status}: ${detail}${isTemporary ? ' Run the command again to repeat it.' : ''}`,
        )
      }
      await response.body?.cancel()
      const seconds = Number(response.headers.get('retry-after') ?? 0)
      await wait(Math.max(pauseMs * attempt, seconds * 1000))
    }
  }
  return {
    url,
    request,
    /** Sends a request and parses the JSON of its response. */
    call: async <Value>(schema: z.ZodType<Value>, ...args: Parameters<typeof request>): Promise<Value> =>
      schema.parse(await (await request(...args)).json()),
  }
}
export type OperatorService = Awaited<ReturnType<typeof connectOperator>>
