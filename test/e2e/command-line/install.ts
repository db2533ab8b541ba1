import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { runCommand, startCommand } from '../command.ts'
import { connectService, findInstalledCommandLine } from '../shared-service.ts'

/** Copies the installed command line into a folder for a test file. Profiles and files are in that folder too. */
export async function installCommandLine() {
  const folder = await mkdtemp(join(tmpdir(), 'command-line-'))
  await cp(await findInstalledCommandLine(), folder, { recursive: true, verbatimSymlinks: true })
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

/** A request as it arrived. */
interface Received {
  url: string
  type: string | undefined
  body: Buffer
}

/**
 * Runs a shell command with the command line as `merchant-ordering`, against a service whose responses, a status and JSON, are those of
 * `answer`. Returns the requests too.
 */
export async function runAgainst(
  cli: CommandLine,
  answer: (request: Received, count: number) => readonly [status: number, body: object | string],
  line: string,
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request
    const arrived = { url, type: headers['content-type'], body: await buffer(request) }
    const [status, body] = answer(arrived, received.push(arrived))
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const account = { URL: `http://127.0.0.1:${address.port}`, MERCHANT: 'mer_1', KEY: 'sk_live_played' }
  const variables = Object.entries(account).map(([name, value]) => `MERCHANT_ORDERING_${name}=${value}`)
  const path = `PATH=${cli.path('node_modules/.bin')}:${resolve('node_modules/.bin')}:${process.env['PATH']}`
  const ended = await runCommand(cli.folder, 'env', path, ...variables, 'sh', '-c', line)
  server.closeAllConnections()
  server.close()
  return { ...ended, received }
}

/** Installs the command line, with profiles of a new merchant (`default`, `test`) and of the operator (`ops`). */
export async function connectCommandLine() {
  const service = await connectService()
  const cli = await installCommandLine()
  const { id: merchant, key } = await service.createAccount()
  const { body } = await service.call('POST', `/admin/merchants/${merchant}/keys`, service.adminToken, { mode: 'test' })
  const url = ['--url', service.origin]
  await cli.typeWith(service.adminToken, 'login', ...url, '--operator', '--profile', 'ops')
  await cli.typeWith(body.key, 'login', ...url, '--merchant', merchant, '--profile', 'test')
  await cli.typeWith(`${key}\n`, 'login', ...url, '--merchant', merchant)
  return {
    ...cli,
    service,
    merchant,
    /** A live key of the merchant. */
    key,
    /** Types a command and parses what it prints. */
    async typeJson(...words: readonly string[]) {
      const { code, output } = await cli.type(...words, '--json')
      expect([words, code, output]).toEqual([words, 0, expect.stringMatching(/^[[{]/)])
      return JSON.parse(output)
    },
  }
}
export type ConnectedCommandLine = Awaited<ReturnType<typeof connectCommandLine>>
