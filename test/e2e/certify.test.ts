import { writeFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../repository/certify/sample-receiver.ts'
import { freePort } from '../support/receiver.ts'
import { startCommand } from './command.ts'
import { type CommandLine, installCommandLine } from './command-line/install.ts'

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
let cli: CommandLine
let folder: string
beforeAll(async () => {
  cli = await installCommandLine()
  folder = await mkdtemp(join(tmpdir(), 'certify-'))
  await writeFile(join(folder, 'secret.txt'), `${secret}\n`)
})
afterAll(async () => {
  await cli?.remove()
  await rm(folder, { recursive: true, force: true })
})

test('the example of a receiver passes', async () => {
  const port = await freePort()
  const receiver = startCommand(
    '.',
    'env',
    `WEBHOOK_SECRET=${secret}`,
    process.execPath,
    'examples/receiver.ts',
    `${port}`,
  )
  await receiver.printed('Listening on')
  const origin = `http://localhost:${port}`
  const startMs = Date.now()
  const given = ['--secret', `@${join(folder, 'secret.txt')}`, '--check-url', `${origin}/check`]
  const { code, output } = await cli.type('certify', `${origin}/hook`, ...given)
  expect([output, code]).toEqual([expect.stringMatching(/^24 passed, 0 failed, 37 requests\.$/m), 0])
  expect(output).toMatch(/^rotated secret, new first +passed +204$/m)
  // 37 requests at two a second.
  expect(Date.now() - startMs).toBeGreaterThan(17_500)
  await receiver.interrupt()
})

test('a command gets each event by its input and its environment, and a fault makes the exit code 1', async () => {
  const effects = await mkdtemp(join(folder, 'effects-'))
  const receiver = await startReceiver(secret, 'updates only known objects', {
    onEffect(event, object, times, price) {
      writeFileSync(join(effects, event), String(times))
      writeFileSync(join(effects, object), String(price))
    },
  })
  const program = join(folder, 'show effect.sh')
  const asked = join(folder, 'asked.txt')
  await writeFile(
    program,
    `#!/bin/sh
echo "$(cat) $CERTIFY_EVENT $CERTIFY_OBJECT $#" >> "${asked}"
cd "${effects}"
echo "{\\"times\\": $(cat "$CERTIFY_EVENT" 2> /dev/null || echo 0), \\"price\\": $(cat "$CERTIFY_OBJECT" 2> /dev/null || echo null)}"
`,
  )
  await chmod(program, 0o755)
  const given = ['--secret', secret, '--check', `'${program}'`, '--merchant', 'mer_1', '--token', 'tok_1', '--json']
  const { code, output } = await cli.type('certify', receiver.url, ...given)
  receiver.close()
  expect([output, code]).toEqual([expect.stringContaining('{'), 1])
  const { cases, ...report } = JSON.parse(output)
  expect(report).toEqual({ url: receiver.url, passed: 23, failed: 1, requests: 33 })
  expect(cases.filter(({ passed }: { passed: boolean }) => !passed)).toEqual([
    {
      case: 'out of order',
      passed: false,
      statuses: [204, 204, 204],
      problems: expect.arrayContaining(['The effect was made 0 times instead of 1.']),
    },
  ])
  expect(new Set(receiver.state.bodies.map((body) => JSON.parse(body).merchantId))).toEqual(new Set(['mer_1']))
  for (const line of (await readFile(asked, 'utf8')).trim().split('\n')) {
    const [, json = '', ids] = /^(\{.*\}) (.*)$/.exec(line) ?? []
    const { event, object } = JSON.parse(json)
    expect(ids).toBe(`${event} ${object} 0`)
  }
})

test('a wrong command line sends nothing', async () => {
  const receiver = await startReceiver(secret)
  for (const [words, message] of [
    [[receiver.url, '--check', 'true'], '--secret must be'],
    [[receiver.url, '--secret', secret], 'Name one of --check and --check-url'],
    [['http://pos.example.com/hook', '--secret', secret, '--check', 'true'], 'must be an https:// address'],
    [[receiver.url, '--secret', secret, '--check', 'echo no'], 'did not answer JSON: no'],
    [[receiver.url, '--secret', secret, '--check', 'exit 3'], 'ended with 3'],
    [[receiver.url, '--secret', secret, '--check', 'echo "{}"'], 'The check must answer'],
  ] as const)
    expect(await cli.type('certify', ...words)).toEqual({ code: 2, output: expect.stringContaining(message) })
  receiver.close()
  expect(receiver.state.requests).toBe(0)
})
