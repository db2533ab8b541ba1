import type { Command, Options } from './command.ts'

const program = 'merchant-ordering'

/** Options of every command. */
export const globalOptions: Options = {
  json: { description: 'Prints JSON for programs' },
  profile: { value: 'NAME', description: 'Uses this profile instead of the current one' },
  help: { short: 'h', description: 'Prints the help of a command' },
}

function layOut(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

const listOptions = (options: Options) =>
  layOut(
    Object.entries(options).map(([name, { value, short, description }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`,
      description,
    ]),
  )

/** The usage line of a command. */
export const describeUsage = ({ name, usage }: Command) =>
  `${program} ${name}${usage === undefined ? '' : ` ${usage}`} [options]`

/** The help of one command. */
export const describeCommand = (command: Command) => {
  const { summary, details, options = {}, examples } = command
  return `${summary}.

  ${describeUsage(command)}
${details === undefined ? '' : `\n${details}\n`}
Options:
${listOptions({ ...options, ...globalOptions })}

Examples:
${examples.map((example) => `  ${program} ${example}`).join('\n')}`
}

/** The help of a group of commands, or of all. */
export function describeCommands(commands: readonly Command[], group?: string): string {
  const shown = group === undefined ? commands : commands.filter(({ name }) => name.startsWith(`${group} `))
  const groups = new Map<string, Command[]>()
  for (const command of shown) {
    const [first = ''] = command.name.split(' ')
    groups.set(first, [...(groups.get(first) ?? []), command])
  }
  const rows = [...groups].flatMap(([name, own]): (readonly [string, string])[] =>
    group === undefined && own.length > 1
      ? [[name, own.map((command) => command.name.slice(name.length + 1)).join(', ')]]
      : own.map((command) => [command.name, command.summary]),
  )
  return `${group === undefined ? 'The command line of the Merchant Ordering API.' : `Commands of ${group}:`}

  ${program} ${group ?? '<command>'} [options]

Commands:
${layOut(rows)}

Options of every command:
${listOptions(globalOptions)}

Help with examples: ${program} ${group ?? '<command>'}${group === undefined ? '' : ' <command>'} --help`
}
