import { type Client, type Operator, type ResourcePath, resourcePaths } from 'merchant-ordering-client'
import { UsageError } from './errors/usage-error.ts'
import type { Output } from './output.ts'
import type { Profile } from './profiles.ts'

/** An option of a command: a flag, or with `value` the name of its value. */
export interface Option {
  value?: string
  /** A short form: one letter. */
  short?: string
  /** May be given several times. */
  repeats?: true
  description: string
}
/** Options of a command by their names. */
export type Options = Readonly<Record<string, Option>>
/** Values of options by their names: `true` for a flag. */
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** Context of a command. */
export interface Context {
  /** Words after the name of the command. */
  words: readonly string[]
  values: Values
  output: Output
  /** Aborts with Ctrl-C. */
  signal: AbortSignal
  findProfile(): Promise<Profile>
  connect(): Promise<Client>
  connectOperator(): Promise<Operator>
}

/** A command: its name, its help, and its function. */
export interface Command {
  /** One word or two: `products list`. */
  name: string
  /** Arguments after the name: `<id>`. */
  usage?: string
  summary: string
  /** Values of the word after a name of one word, for completion. */
  choices?: readonly string[]
  details?: string
  options?: Options
  /** Examples: command lines after the name of the program. */
  examples: readonly string[]
  /** Returns the exit code. Default: that of success. */
  run(context: Context): Promise<number | undefined> | Promise<void>
}

/** The body of a write, in addition to `name=value` words. */
export const dataOption = {
  data: { value: 'JSON|@FILE|-', description: 'The body as JSON, from a file or from the standard input' },
} as const

/** The value of an option. */
export function textOf({ values }: Context, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** A command line with the same profile, to show. */
export function toCommand(context: Context, words: string): string {
  const profile = textOf(context, 'profile')
  return `merchant-ordering ${words}${profile === undefined ? '' : ` --profile ${profile}`}`
}

/** All values of an option that may be given several times. */
export function listOf({ values }: Context, name: string): readonly string[] {
  const value = values[name]
  return Array.isArray(value) ? value.map(String) : []
}

/** The resource with a name. */
export function readResource(text: string): ResourcePath {
  const found = resourcePaths.find((path) => path === text)
  if (!found) throw new UsageError(`${text} is not a resource. Resources: ${resourcePaths.join(', ')}.`)
  return found
}

/** A positive number of an option. */
export function numberOf(context: Context, name: string): number | undefined {
  const text = textOf(context, name)
  return text === undefined ? undefined : readCount(text, `--${name}`)
}

/** A positive number that the user typed. `what` names it in the error. */
export function readCount(text: string, what: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${what} must be a positive number.`)
  return Number(text)
}

/** The only word of a command. */
export function requireWord({ words }: Context, what: string): string {
  const [word, extra] = words
  if (word === undefined) throw new UsageError(`Missing ${what}.`)
  if (extra !== undefined) throw new UsageError(`Unexpected argument: ${extra}`)
  return word
}

/** The first word of a command, and the fields after it. */
export function requireFirstWord({ words }: Context, what: string): { word: string; rest: readonly string[] } {
  const [word, ...rest] = words
  if (word === undefined || word.includes('=')) throw new UsageError(`Missing ${what}.`)
  return { word, rest }
}

/** Rejects words that a command does not accept. */
export function rejectWords({ words: [word] }: Context): void {
  if (word !== undefined) throw new UsageError(`Unexpected argument: ${word}`)
}

/** A command about one object. */
export const withId = (
  name: string,
  summary: string,
  send: (client: Client, id: string) => Promise<object>,
): Command => ({
  name,
  usage: '<id>',
  summary,
  examples: [`${name} ID`],
  run: async (context) => context.output.object(await send(await context.connect(), requireWord(context, 'an id'))),
})
