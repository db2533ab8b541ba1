import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AddressSet, createAddressSet, overlap, parseRanges } from './addresses.ts'
import { requireToken } from './admin-token.ts'
import { ServerError } from './server-error.ts'

/** Settings of the server, from its flags and the environment. */
export interface Configuration {
  /** Folder of all data. */
  data: string
  host: string
  port: number
  /** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
  trustedProxies: AddressSet
  /** Ranges of private addresses that webhooks may reach. */
  privateWebhooks: readonly string[]
  hasRateLimits: boolean
  /** Folder for nightly backups of all data. Undefined if they are not wanted. */
  backupFolder: string | undefined
  /** Variables of the Worker. */
  variables: Readonly<Record<string, string>>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Ranges that no setting opens: link-local addresses, among them the metadata of clouds. */
const alwaysDenied = ['169.254.0.0/16', 'fe80::/10'] as const

/** Whether a range contains addresses of this machine. */
const hasLoopback = (range: string) => overlap(range, '127.0.0.0/8') || overlap(range, '::1/128')

const maxPort = 65_535

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > maxPort)
    throw new ServerError(`The port must be a number from 1 to ${maxPort}.`)
  return port
}

/** Returns an origin such as `https://menu.example.com`. The message never contains the value, which may be a secret set by mistake. */
function parseOrigin(name: string, text: string): string {
  const origin = text.replace(/\/+$/, '')
  const url = /^https?:\/\/[^\s\p{Cc}\\@?#]+$/iu.test(origin) ? URL.parse(origin) : undefined
  if (url && url.pathname === '/') return origin
  throw new ServerError(`${name} must be an origin, such as https://menu.example.com.`)
}

function parsePrivateWebhooks(text: string): readonly string[] {
  const name = 'ALLOW_PRIVATE_WEBHOOKS'
  const ranges = parseRanges(name, text)
  const denied = alwaysDenied.find((range) => ranges.some((each) => overlap(each, range)))
  if (denied !== undefined) throw new ServerError(`${name} must not contain addresses of ${denied}.`)
  return ranges
}

/** Returns a folder that exists and can be written. */
function parseFolder(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    accessSync(path, constants.W_OK)
    if (statSync(path).isDirectory()) return resolve(path)
  } catch {
    // The error says so too.
  }
  throw new ServerError(`${name} must be a folder that exists and that the server can write.`)
}

function parseSwitch(name: string, text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ServerError(`${name} must be on or off.`)
}

/** The folder of all data. */
export const readDataFolder = (flags: { data?: string | undefined }, environment: Environment) =>
  resolve(flags.data ?? environment['DATA'] ?? 'data')

/** Reads the settings. Throws an error with one sentence for the first that is missing or wrong. */
export function readConfiguration(
  flags: { data?: string | undefined; port?: string | undefined; host?: string | undefined },
  environment: Environment,
): Configuration {
  const get = (name: string) => environment[name]?.trim() || undefined
  const adminToken = requireToken('ADMIN_TOKEN', get('ADMIN_TOKEN'))
  const next = get('ADMIN_TOKEN_NEXT')
  if (next === adminToken) throw new ServerError('ADMIN_TOKEN_NEXT must be another token than ADMIN_TOKEN.')
  const base = get('PUBLIC_BASE_URL')
  if (base === undefined)
    throw new ServerError(
      'PUBLIC_BASE_URL is not set. It is the address of the server for guests, such as https://menu.example.com.',
    )
  const consoleOrigin = get('CONSOLE_ORIGIN')
  const privateWebhooks = parsePrivateWebhooks(get('ALLOW_PRIVATE_WEBHOOKS') ?? '')
  const port = parsePort(flags.port ?? get('PORT') ?? '8080')
  return {
    data: readDataFolder(flags, environment),
    host: flags.host ?? get('HOST') ?? '0.0.0.0',
    port,
    trustedProxies: createAddressSet(parseRanges('TRUSTED_PROXIES', get('TRUSTED_PROXIES') ?? '')),
    privateWebhooks,
    backupFolder: parseFolder('BACKUP_DIR', get('BACKUP_DIR')),
    hasRateLimits: parseSwitch('RATE_LIMITS', get('RATE_LIMITS') ?? 'on'),
    variables: {
      ADMIN_TOKEN: adminToken,
      ...(next !== undefined && { ADMIN_TOKEN_NEXT: requireToken('ADMIN_TOKEN_NEXT', next) }),
      PUBLIC_BASE_URL: parseOrigin('PUBLIC_BASE_URL', base),
      DEFAULT_HOME: 'object',
      ...(privateWebhooks.length > 0 && { ALLOW_PRIVATE_WEBHOOKS: privateWebhooks.join(',') }),
      ...(privateWebhooks.some(hasLoopback) && { OWN_PORT: String(port) }),
      ...(consoleOrigin !== undefined && { CONSOLE_ORIGIN: parseOrigin('CONSOLE_ORIGIN', consoleOrigin) }),
    },
  }
}
