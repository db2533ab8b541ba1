import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runCommand, startCommand } from '../command.ts'

/** Installs the packed command line, and nothing else, in an empty folder. Profiles and files are in that folder too. */
export async function installCommandLine() {
  const folder = await mkdtemp(join(tmpdir(), 'command-line-'))
  const packed = await runCommand('packages/cli', 'npm', 'pack', '--silent', '--pack-destination', folder)
  if (packed.code !== 0) throw new Error(packed.output)
  await writeFile(join(folder, 'package.json'), '{}')
  const installed = await runCommand(folder, 'sh', '-c', 'npm install --offline ./*.tgz')
  if (installed.code !== 0) throw new Error(installed.output)
  await mkdir(join(folder, 'config'))
  const environment = [
    `XDG_CONFIG_HOME=${join(folder, 'config')}`,
    `PATH=${resolve('node_modules/.bin')}:${process.env['PATH']}`,
  ]
  const program = join(folder, 'node_modules/.bin/merchant-ordering')
  return {
    folder,
    path: (...names: readonly string[]) => join(folder, ...names),
    /** Types a command, to its end. */
    type: (...words: readonly string[]) => runCommand(folder, 'env', ...environment, program, ...words),
    /** Types a command with text on its standard input. */
    async typeWith(input: string, ...words: readonly string[]) {
      const file = join(folder, 'input')
      await writeFile(file, input)
      return runCommand(folder, 'env', ...environment, 'sh', '-c', '"$@" < input', 'sh', program, ...words)
    },
    start: (...words: readonly string[]) => startCommand(folder, 'env', ...environment, program, ...words),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
export type CommandLine = Awaited<ReturnType<typeof installCommandLine>>
