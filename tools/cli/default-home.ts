import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { parse } from 'smol-toml'
import { replaceFile } from './build/replace-file.ts'
import { CliError } from './cli-error.ts'
import { projectFolder } from './project-folder.ts'

const name = 'DEFAULT_HOME'
const homes = ['d1', 'object'] as const
type Home = (typeof homes)[number]
const isHome = (value: unknown): value is Home => homes.some((home) => home === value)

const explanation = `Where is the data of new merchants? The answer is kept in wrangler.toml; each merchant can move later.
  d1      one shared database
  object  a database for each merchant, recommended beyond 80 venues`
const question = 'Home of new merchants (d1 or object) [d1]: '

/** Whether a person can answer. */
const isInteractive = () => process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']

async function askHome(): Promise<Home> {
  console.log(explanation)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new CliError('\nNothing was deployed: the question has no answer.', 1)))
  })
  try {
    for (;;) {
      const answer = (await Promise.race([lines.question(question), closed])).trim().toLowerCase() || 'd1'
      if (isHome(answer)) return answer
    }
  } finally {
    lines.close()
  }
}

/** Removes `--home` from the arguments: wrangler does not know it. */
export function takeHome(args: readonly string[]): { home: Home | undefined; rest: readonly string[] } {
  const { values } = parseArgs({ args: [...args], strict: false, options: { home: { type: 'string' } } })
  const { home } = values
  if (home === undefined) return { home, rest: args }
  if (!isHome(home)) throw new CliError('--home must be d1 or object.')
  const rest = args.filter((arg, index) => !arg.startsWith('--home') && args[index - 1] !== '--home')
  return { home, rest }
}

/** Returns the text of a TOML file with `DEFAULT_HOME` among the variables of an environment. Comments and all other lines stay. */
export function writeHome(text: string, environment: string | undefined, home: Home): string {
  const table = environment ? `env.${environment}.vars` : 'vars'
  const line = `${name} = "${home}"`
  const lines = text.split('\n')
  const start = lines.findIndex((each) => each.replace(/\s*(?:#.*)?$/, '') === `[${table}]`)
  if (start < 0) lines.splice(text.endsWith('\n') ? -1 : lines.length, 0, '', `[${table}]`, line)
  else {
    const length = lines.slice(start + 1).findIndex((each) => each.startsWith('['))
    const end = length < 0 ? lines.length : start + 1 + length
    const present = lines.findIndex((each, index) => index > start && index < end && /^\s*DEFAULT_HOME\s*=/.test(each))
    lines.splice(present < 0 ? start + 1 : present, present < 0 ? 0 : 1, line)
  }
  const written = lines.join('\n')
  if (isWritten(text, written, environment, home)) return written
  throw new CliError(`Write this to [${table}] of wrangler.toml, then deploy again: ${line}`)
}

/** Whether the new text differs from the old one by the value only. A file may have its variables in another form. */
function isWritten(before: string, after: string, environment: string | undefined, home: Home): boolean {
  try {
    const expected = Object(structuredClone(parse(before)))
    const place = environment ? expected.env[environment] : expected
    place.vars = { ...place.vars, [name]: home }
    return isDeepStrictEqual(structuredClone(parse(after)), expected)
  } catch {
    return false
  }
}

/**
 * Writes the home of new merchants to `wrangler.toml`: that of `--home`, or the answer of a person, who is asked once. Without a terminal, and in CI,
 * nothing is asked, and the default of the Worker applies.
 */
export async function settleHome(
  { home, rest }: ReturnType<typeof takeHome>,
  environment: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = variables[name]
  if (present !== undefined && !isHome(present)) throw new CliError(`${name} in wrangler.toml must be d1 or object.`)
  const isGiven = present !== undefined || rest.some((arg) => /^(?:--var=)?DEFAULT_HOME:/.test(arg))
  if (home === undefined && (isGiven || !isInteractive())) return
  const chosen = home ?? (await askHome())
  if (chosen === present) return
  const file = resolve(projectFolder, 'wrangler.toml')
  await replaceFile(file, writeHome(await readFile(file, 'utf8'), environment, chosen))
  console.log(
    `Wrote ${name} = "${chosen}" to wrangler.toml. Keep it with the project: the question is not asked again.`,
  )
}
