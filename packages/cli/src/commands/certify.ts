import { readFile } from 'node:fs/promises'
import { certify, type Report } from '../certify/certify.ts'
import { type Command, type Context, requireWord, textOf } from '../command.ts'
import { exitCodes } from '../errors/errors.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Rejects addresses to which a secret must not be sent. */
function requireAddress(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!(url?.protocol === 'https:' || (isLocal && url.protocol === 'http:')))
    throw new UsageError(`${name} must be an https:// address, or http:// on this machine.`)
  return text
}

async function readSecret(context: Context): Promise<string> {
  const given = textOf(context, 'secret') ?? ''
  const secret = given.startsWith('@') ? (await readFile(given.slice(1), 'utf8')).trim() : given
  if (!/^(?:whsec_)?[\w+/=-]{16,}$/.test(secret))
    throw new UsageError('--secret must be the signing secret of the receiver (whsec_…), or @FILE.')
  return secret
}

function readCheck(context: Context): { command: string } | { url: string } {
  const [command, url] = [textOf(context, 'check'), textOf(context, 'check-url')]
  if ((command === undefined) === (url === undefined)) throw new UsageError('Name one of --check and --check-url.')
  return command === undefined ? { url: requireAddress(url ?? '', '--check-url') } : { command }
}

async function print({ output }: Context, report: Report): Promise<void> {
  if (output.isJson) return output.object(report)
  const rows = report.cases.map(({ case: name, passed, statuses }) => ({
    case: name,
    result: passed ? 'passed' : 'FAILED',
    statuses: statuses.map((status) => status ?? 'none'),
  }))
  await output.list(rows, ['case', 'result', 'statuses'])
  for (const { case: name, problems } of report.cases)
    if (problems.length > 0) output.print(`\n${name}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  output.print(`\n${report.passed} passed, ${report.failed} failed, ${report.requests} requests.`)
  if (report.stopped !== undefined) output.print(report.stopped)
}

export const certifyCommand: Command = {
  name: 'certify',
  usage: '<url>',
  summary: 'Tests a receiver of webhooks: duplicates, order, signatures, large and slow bodies',
  details: `Sends about 30 deliveries about products of test mode to your receiver, at most two a second, and asks it for the effects.
--check runs a command for each event. It gets {"event": "evt_…", "object": "prod_…"} on its standard input, and CERTIFY_EVENT and
CERTIFY_OBJECT in its environment. It prints {"times": 1, "price": 4.5}: how many times the event changed something, and the present
price of the object, null if it does not exist. --check-url gets all of them as one list, signed as a delivery, and returns a list.
It stops if the first valid delivery has no effect. The exit code is 1 if a case fails.`,
  options: {
    secret: { value: 'SECRET|@FILE', description: 'Signing secret of the receiver' },
    check: { value: 'CMD', description: 'Command that shows an effect' },
    'check-url': { value: 'URL', description: 'Address that shows effects' },
    merchant: { value: 'ID', description: 'merchantId of the events. Default: a random one' },
    token: { value: 'TOKEN', description: 'Bearer token, if the receiver checks it' },
  },
  examples: [
    "certify https://pos.example.com/webhooks --secret @secret.txt --check './show-effect.sh'",
    'certify http://localhost:3000/hook --secret @secret.txt --check-url http://localhost:3000/check --json',
  ],
  async run(context) {
    const url = requireAddress(requireWord(context, 'the address of the receiver'), 'The address')
    const target = {
      url,
      secret: await readSecret(context),
      check: readCheck(context),
      merchantId: textOf(context, 'merchant'),
      bearerToken: textOf(context, 'token'),
    }
    const report = await certify(target, context.signal, (done, total) => context.output.progress('Cases', done, total))
    await print(context, report)
    return report.failed > 0 || report.stopped !== undefined ? exitCodes.failed : exitCodes.success
  },
}
