import type { Command } from './command.ts'

const program = 'merchant-ordering'
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

interface Words {
  /** First words of commands, with the summary of one-word commands. */
  first: ReadonlyMap<string, string>
  /** Second words by first word. */
  second: ReadonlyMap<string, readonly { word: string; summary: string }[]>
  /** Options by command. */
  options: ReadonlyMap<string, readonly string[]>
}

function collect(commands: readonly Command[], globals: readonly string[]): Words {
  const first = new Map<string, string>()
  const second = new Map<string, { word: string; summary: string }[]>()
  const options = new Map<string, readonly string[]>()
  for (const { name, summary, choices, options: own = {} } of commands) {
    const [group = '', word] = name.split(' ')
    first.set(group, word === undefined ? summary : `Commands of ${group}`)
    if (choices)
      second.set(
        group,
        choices.map((choice) => ({ word: choice, summary: '' })),
      )
    if (word !== undefined) second.set(group, [...(second.get(group) ?? []), { word, summary }])
    options.set(
      name,
      [...Object.keys(own), ...globals].map((option) => `--${option}`),
    )
  }
  return { first, second, options }
}

const wordsOf = (list: readonly { word: string }[]) => list.map(({ word }) => word).join(' ')

const renderBash = ({ first, second, options }: Words) => `_merchant_ordering() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [[ "$current" == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${[...options].map(([name, flags]) => `      "${name}${name.includes(' ') ? '' : ' '}"*) words="${flags.join(' ')}" ;;`).join('\n')}
    esac
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words="${[...first.keys()].join(' ')}"
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case "\${COMP_WORDS[1]}" in
${[...second].map(([group, list]) => `      ${group}) words="${wordsOf(list)}" ;;`).join('\n')}
    esac
  fi
  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else compopt -o default; fi
}
complete -F _merchant_ordering ${program}
`

const quote = (text: string) => `'${text.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`

const renderZsh = ({ first, second, options }: Words) => `#compdef ${program}
_merchant_ordering() {
  local -a words_
  if [[ "$words[CURRENT]" == -* ]]; then
    case "$words[2] $words[3]" in
${[...options].map(([name, flags]) => `      "${name}${name.includes(' ') ? '' : ' '}"*) compadd -- ${flags.join(' ')} ;;`).join('\n')}
    esac
  elif (( CURRENT == 2 )); then
    words_=(${[...first].map(([word, summary]) => quote(word) + quote(`:${summary}`).replace("'\\:", "':")).join(' ')})
    _describe command words_
  elif (( CURRENT == 3 )); then
    case "$words[2]" in
${[...second].map(([group, list]) => `      ${group}) compadd -- ${wordsOf(list)} ;;`).join('\n')}
      *) _files ;;
    esac
  else
    _files
  fi
}
if [[ "$funcstack[1]" == "_${program}" ]]; then _merchant_ordering "$@"; else compdef _merchant_ordering ${program}; fi
`

const renderFish = ({ first, second, options }: Words) =>
  [
    ...[...first].map(
      ([word, summary]) => `complete -c ${program} -n __fish_use_subcommand -a ${word} -d ${JSON.stringify(summary)}`,
    ),
    ...[...second].flatMap(([group, list]) =>
      list.map(
        ({ word, summary }) =>
          `complete -c ${program} -n "__fish_seen_subcommand_from ${group}; and test (count (commandline -opc)) -eq 2" -f -a ${word} -d ${JSON.stringify(summary)}`,
      ),
    ),
    ...[...options].flatMap(([name, flags]) => {
      const seen = name
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and ')
      return flags.map((flag) => `complete -c ${program} -n "${seen}" -l ${flag.slice(2)}`)
    }),
    '',
  ].join('\n')

const renderers = { bash: renderBash, zsh: renderZsh, fish: renderFish }

/** The script that lets a shell complete the commands. */
export const renderCompletion = (shell: Shell, commands: readonly Command[], globals: readonly string[]) =>
  renderers[shell](collect(commands, globals))
