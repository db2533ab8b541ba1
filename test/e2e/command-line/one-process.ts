/**
 * Runs commands of the installed command line one after the other in this process. A start of the program takes a quarter of a second of
 * processor time. The arguments: a file with a JSON list of commands, each a list of words, and the program's module.
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

/** Maximum duration of a command, in milliseconds: some wait for a state that the response does not have. Ctrl-C ends them. */
const maxMs = 2_000

const [list = '', program = ''] = process.argv.slice(2)
const commands: string[][] = JSON.parse(readFileSync(list, 'utf8'))
process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
for (const [index, words] of commands.entries()) {
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([]) })
  process.argv = [...process.argv.slice(0, 2), ...words]
  const timer = setTimeout(() => process.emit('SIGINT'), maxMs)
  // Another query is another copy of the module, which runs the command when it is evaluated.
  await import(`${pathToFileURL(program)}?${index}`)
  clearTimeout(timer)
}
process.exitCode = 0
