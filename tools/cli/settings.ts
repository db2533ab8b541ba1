import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { parsePublicUrl } from '../../src/platform/http/public-url.ts'
import { CliError } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'
import { getVariables, readWranglerConfig } from './wrangler-config.ts'

const flagPattern = /^(?:--var=)?PUBLIC_BASE_URL:(.*)$/s

/** Throws if the `PUBLIC_BASE_URL` that wrangler will read is not an origin. `.dev.vars` applies to local development only. */
export async function requirePublicUrlSetting(args: readonly string[], { local }: { local: boolean }): Promise<void> {
  const devVars = local ? parseEnv(await readFile(resolve(projectFolder, '.dev.vars'), 'utf8')) : {}
  const flag = args.flatMap((arg) => flagPattern.exec(arg)?.[1] ?? []).at(-1)
  const value = flag ?? devVars['PUBLIC_BASE_URL'] ?? (await readConfiguredUrl(args))
  if (value === undefined || value === '') return
  const { issue } = parsePublicUrl(String(value))
  if (issue !== undefined) throw new CliError(issue)
}

/** Returns the environment that wrangler will use; empty without an environment. */
export function readEnvironmentName(args: readonly string[]): string | undefined {
  const { values } = parseArgs({ args: [...args], strict: false, options: { env: { type: 'string', short: 'e' } } })
  if (typeof values.env === 'boolean') throw new CliError('--env must have the name of an environment.')
  return values.env ?? process.env['CLOUDFLARE_ENV']
}

/** Reads the value of `wrangler.toml` in the chosen environment. */
const readConfiguredUrl = async (args: readonly string[]) =>
  getVariables(await readWranglerConfig(), readEnvironmentName(args))['PUBLIC_BASE_URL']
