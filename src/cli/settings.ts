import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { parsePublicUrl } from '../http/public-url.ts'
import { CliError } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'
import { getVariables, readWranglerConfig } from './wrangler-config.ts'

const flagPattern = /^(?:--var=)?PUBLIC_BASE_URL:(.*)$/s

/** Throws if `PUBLIC_BASE_URL`, as wrangler will read it, is not an origin. `.dev.vars` applies to local development only. */
export async function requirePublicUrlSetting(args: readonly string[], { local }: { local: boolean }): Promise<void> {
  const devVars = local ? parseEnv(await readFile(resolve(projectFolder, '.dev.vars'), 'utf8')) : {}
  const flag = args.flatMap((arg) => flagPattern.exec(arg)?.[1] ?? []).at(-1)
  const value = flag ?? devVars['PUBLIC_BASE_URL'] ?? (await readConfiguredUrl(args))
  if (value === undefined || value === '') return
  const { issue } = parsePublicUrl(String(value))
  if (issue !== undefined) throw new CliError(issue)
}

/** Reads the value of `wrangler.toml` in the chosen environment. */
async function readConfiguredUrl(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], strict: false, options: { env: { type: 'string', short: 'e' } } })
  const name = typeof values.env === 'string' ? values.env : undefined
  return getVariables(await readWranglerConfig(), name)['PUBLIC_BASE_URL']
}
