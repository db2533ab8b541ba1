import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeShare } from '../rounds.ts'
import { type CommandLine, installCommandLine, runAgainst } from './install.ts'

/** Writes the clipboard, sets a title, returns to the start of the line, deletes, turns the text around, ends the line. */
const hostile = '\u001b]52;c;aGk=\u0007a\u009b31mb\u009d0;t\u009cc\rd\u007fe\u202ef\u2066g\u2028h\ni'
/** Everything that a terminal obeys, but the line breaks of the program. */
const controls = /(?!\n)[\p{Cc}\u2028-\u202E\u2066-\u2069]/u

let cli: CommandLine
beforeAll(async () => {
  cli = await installCommandLine()
  await writeFile(
    cli.path('body.jsonl'),
    '{"op": "create", "resource": "products", "body": {"title": "a", "price": 1}}\n',
  )
})
afterAll(() => cli?.remove())

const join = (lines: readonly string[]) => lines.join('\n')

/** Runs commands, each a list of words, in one process. */
async function runInOneProcess(answer: Parameters<typeof runAgainst>[1], commands: readonly (readonly string[])[]) {
  await writeFile(cli.path('commands.json'), JSON.stringify(commands))
  const runner = resolve(import.meta.dirname, 'one-process.ts')
  const program = cli.path('node_modules/merchant-ordering/dist/main.js')
  const ended = await runAgainst(cli, answer, `node ${runner} commands.json ${program}`)
  expect([ended.code, ended.output]).toEqual([0, expect.any(String)])
  return ended
}

let commands: Promise<string[]> | undefined
/** A command for each command of the program, with the words that its usage asks for. Reads the help of each command once for all tests. */
const listCommands = () => (commands ??= readCommands())
async function readCommands(): Promise<string[]> {
  const { output } = await cli.type('completion', 'fish')
  const names = Array.from(output.matchAll(/ -n "([^"]+)" -l json$/gm), ([, seen = '']) =>
    seen.replace(/__fish_seen_subcommand_from |; and/g, '').replaceAll('  ', ' '),
  )
  const helps = names.map((name) => [...name.split(' '), '--help'])
  const { output: help } = await runInOneProcess(() => [200, {}], helps)
  const usages = new Map(
    Array.from(help.matchAll(/^ {2}merchant-ordering (.*) \[options\]$/gm), ([, usage = '']) => {
      const name = names.find((each) => usage === each || usage.startsWith(`${each} `)) ?? ''
      return [name, usage]
    }),
  )
  return names.map((name) =>
    (usages.get(name) ?? name)
      .replaceAll(/ \[[^\]]*\]/g, '')
      .replaceAll('<file>', 'body.jsonl')
      .replaceAll('<event>', 'product.created')
      .replaceAll(/<[^>]*>/g, 'x1')
      .replaceAll(/=…/g, '=["x1"]'),
  )
}

const fields = [
  'id',
  'title',
  'name',
  'firstName',
  'code',
  'email',
  'state',
  'type',
  'timestamp',
  'url',
  'key',
  'bearerToken',
]
const hostileObject = {
  ...Object.fromEntries(fields.map((field) => [field, hostile])),
  ...{
    status: hostile,
    problem: { detail: hostile },
    metadata: [{ key: hostile, value: hostile }],
    [hostile]: hostile,
  },
  results: [{ index: 0, status: 422, problem: { detail: hostile } }],
}
const commandsThatWait = /^(?:listen|events tail)\b/

test.each([
  ['objects', [200, hostileObject]],
  ['lists', [200, [hostileObject, hostileObject]]],
  ['problems', [422, { type: 'x', title: hostile, status: 422, code: hostile, detail: hostile, requestId: hostile }]],
  ['issues', [422, { code: 'x', detail: 'x', errors: [{ pointer: hostile, code: hostile, message: hostile }] }]],
  ['pages of somebody else', [400, hostile]],
] as const)('%s of the service are printed without what a terminal obeys, by every command', async (_, answer) => {
  const all = await listCommands()
  expect(all.length).toBeGreaterThan(60)
  const taken = takeShare(
    all.filter((command) => !commandsThatWait.test(command)),
    6,
  )
  const words = taken.map((command) => command.split(' '))
  const lines = words.flatMap((each) => [each, [...each, '--json']])
  const { output, received } = await runInOneProcess(() => answer, lines)
  expect(received.length).toBeGreaterThan(taken.length / 2)
  expect(output.length).toBeGreaterThan(1_000)
  const found = output.split('\n').filter((line) => controls.test(line))
  expect(found.map((line) => JSON.stringify(line))).toEqual([])
})

test('JSON stays the same value, and marks stand for characters', async () => {
  const answer = () => [200, { id: 'x1', title: hostile }] as const
  const { output } = await runAgainst(cli, answer, 'merchant-ordering products get x1 --json')
  expect(JSON.parse(output)).toEqual({ id: 'x1', title: hostile })
  const shown = await runAgainst(cli, answer, 'merchant-ordering products get x1')
  expect(shown.output).toContain('title  ␛]52;c;aGk=␇a\\u009b31mb')
})

test('events are printed so too, as they happen', async () => {
  const event = { id: 'evt_1', type: hostile, timestamp: hostile, data: { id: hostile } }
  const answer = (_: unknown, count: number) => [200, count < 3 ? [event] : []] as const
  const { output, received } = await runAgainst(cli, answer, 'timeout -s INT 3 merchant-ordering events tail')
  expect(received.length).toBeGreaterThan(0)
  expect(output).toContain('␛]52')
  expect(controls.test(output)).toBe(false)
})

test('names that were typed, and files that were read, are printed so too', async () => {
  const { output } = await runAgainst(
    cli,
    () => [200, {}],
    join([
      'merchant-ordering "$(printf \'a\\033[31mb\')"',
      'merchant-ordering products get "$(printf \'x\\033[31m\')" --profile "$(printf \'y\\033c\')"',
    ]),
  )
  expect(output).toContain('a␛[31mb')
  expect(controls.test(output)).toBe(false)
})
