import { parseArgs } from 'node:util'
import { version } from '../package.json'
import type { Command, Values } from './command.ts'
import { actionCommands } from './commands/actions.ts'
import { bulkCommands } from './commands/bulk.ts'
import { certifyCommand } from './commands/certify.ts'
import { changeCommands } from './commands/changes.ts'
import { dishCommands } from './commands/dishes.ts'
import { eventCommands } from './commands/events.ts'
import { importCommand } from './commands/imports/import-file.ts'
import { importCommands } from './commands/imports.ts'
import { operatorCommands } from './commands/operator.ts'
import { orderCommands } from './commands/orders.ts'
import { releaseCommands } from './commands/releases.ts'
import { keyCommands, resourceCommands } from './commands/resources.ts'
import { serviceCommands } from './commands/service.ts'
import { signInCommands } from './commands/sign-in.ts'
import { triggerCommand } from './commands/trigger.ts'
import { applyCommand } from './commands/venue/apply.ts'
import { renderCompletion, shells } from './completion.ts'
import { describeError, exitCodes, toErrorObject, toExitCode } from './errors/errors.ts'
import { UsageError } from './errors/usage-error.ts'
import { describeCommand, describeCommands, describeUsage, globalOptions } from './help.ts'
import { createOutput } from './output.ts'
import { connect, connectOperator, findProfile } from './profiles.ts'
import { findSimilar } from './similar.ts'
import { toVisible } from './visible-text.ts'

const completionCommand: Command = {
  name: 'completion',
  usage: shells.join('|'),
  summary: 'Prints a script that completes commands in your shell',
  choices: shells,
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh > ~/.zfunc/_merchant-ordering',
    'completion fish > ~/.config/fish/completions/merchant-ordering.fish',
  ],
  async run({ words: [name], output }) {
    const shell = shells.find((each) => each === name)
    if (!shell) throw new UsageError(`Name a shell: ${shells.join(', ')}.`)
    output.print(renderCompletion(shell, commands, Object.keys(globalOptions)))
  },
}

const commands: readonly Command[] = [
  ...signInCommands,
  ...resourceCommands,
  ...orderCommands,
  ...dishCommands,
  ...serviceCommands,
  ...releaseCommands,
  ...actionCommands,
  ...bulkCommands,
  applyCommand,
  importCommand,
  ...importCommands,
  ...changeCommands,
  ...eventCommands,
  triggerCommand,
  certifyCommand,
  ...keyCommands,
  ...operatorCommands,
  completionCommand,
]

/** The command of the first words, and the words after its name. */
function findCommand(args: readonly string[]) {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ')
    const command = commands.find((each) => each.name === name)
    if (command) return { command, rest: args.slice(length) }
  }
  return undefined
}

function parse({ options = {} }: Command, args: readonly string[]): { values: Values; positionals: readonly string[] } {
  const types = Object.entries({ ...options, ...globalOptions }).map(
    ([name, { value, short, repeats }]) =>
      [
        name,
        {
          type: value === undefined ? ('boolean' as const) : ('string' as const),
          ...(short !== undefined && { short }),
          ...(repeats && { multiple: true }),
        },
      ] as const,
  )
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals: true })
  } catch (error) {
    throw new UsageError(String(error instanceof Error ? error.message : error).replace(/(?:\n| To specify).*/s, ''))
  }
}

/** Prints help if no command runs. Returns the exit code. */
function showHelp(args: readonly string[]): number {
  if (args.includes('--version') || args[0] === 'version') {
    console.log(version)
    return exitCodes.success
  }
  const words = args.filter((word) => word !== 'help' && !word.startsWith('-'))
  const found = findCommand(words)
  if (found) {
    console.log(describeCommand(found.command))
    return exitCodes.success
  }
  const [group, verb] = words
  const isGroup = group !== undefined && commands.some(({ name }) => name.startsWith(`${group} `))
  if (group !== undefined && (!isGroup || verb !== undefined)) {
    const verbs = commands.flatMap(({ name }) => (isGroup && name.startsWith(`${group} `) ? [name] : []))
    const known = isGroup ? verbs : [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]
    const typed = isGroup ? `${group} ${verb}` : group
    const similar = findSimilar(typed, known)
    console.error(
      `The command ${toVisible(typed)} does not exist. ${similar === undefined ? 'Run merchant-ordering --help.' : `Did you mean ${similar}?`}`,
    )
    return exitCodes.usage
  }
  console.log(describeCommands(commands, group))
  return exitCodes.success
}

async function main(args: readonly string[]): Promise<number> {
  const found = findCommand(args)
  if (!found) return showHelp(args)
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interruption.abort())
  const output = createOutput(found.rest.includes('--json'))
  const report = (error: unknown) =>
    output.note(output.isJson ? JSON.stringify(toErrorObject(error)) : describeError(error))
  process.stdout.on('error', (error) => {
    // The command behind a pipe has ended, for example `head`.
    if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.success)
    report(error)
    process.exit(exitCodes.failed)
  })
  try {
    const { values, positionals } = parse(found.command, found.rest)
    if (values['help'] === true) {
      console.log(describeCommand(found.command))
      return exitCodes.success
    }
    const { profile: name = process.env['MERCHANT_ORDERING_PROFILE'] } = values
    const find = () => findProfile(typeof name === 'string' ? name : undefined)
    const code = await found.command.run({
      words: positionals,
      values,
      output,
      signal: interruption.signal,
      findProfile: find,
      connect: async () => connect(await find()),
      connectOperator: async () => connectOperator(await find()),
    })
    return interruption.signal.aborted ? exitCodes.interrupted : (code ?? exitCodes.success)
  } catch (error) {
    if (interruption.signal.aborted) return exitCodes.interrupted
    report(error)
    if (error instanceof UsageError && !output.isJson)
      output.note(`Usage: ${describeUsage(found.command)}\nHelp:  merchant-ordering ${found.command.name} --help`)
    return toExitCode(error)
  }
}

process.exitCode = await main(process.argv.slice(2))
