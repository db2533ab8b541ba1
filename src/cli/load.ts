import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CliError, getReason, runCommand } from './cli-error.ts'
import { demoFile, readDemo } from './demo.ts'
import type { Account } from './loader/api-connection.ts'
import { readCatalogue } from './loader/catalogue-file.ts'
import { loadCatalogue } from './loader/load-catalogue.ts'
import { createProgressDisplay } from './loader/progress.ts'
import { describeResult, isComplete } from './loader/report.ts'

const usage = `Brings a catalogue file into a merchant; docs/catalogue-files.md has the details.

  npm run load -- FILE [--url URL] [--merchant ID] [--key KEY]

What is not given is that of the demo merchant, which npm run dev makes.`

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        merchant: { type: 'string' },
        key: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

/** Whom to load into: what the flags say, else the demo merchant. */
async function findAccount(flags: { url?: string; merchant?: string; key?: string }): Promise<Account> {
  const demo = await readDemo(demoFile())
  if (flags.merchant !== undefined && flags.key === undefined) throw new CliError('--merchant needs a --key to it.')
  const { url = demo?.url, merchant: merchantId = demo?.merchantId, key = demo?.liveKey } = flags
  if (url === undefined || merchantId === undefined || key === undefined) {
    throw new CliError('There is no demo merchant yet: run npm run dev first, or give --url, --merchant and --key.')
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new CliError(`${url} is not an http or https address.`)
  return { url: url.replace(/\/+$/, ''), merchantId, key }
}

/** A signal that Ctrl-C gives once; when it is pressed again later, there is no more waiting. */
function listenForInterrupt(onInterrupt: () => void): AbortSignal {
  const controller = new AbortController()
  let since: number | undefined
  process.on('SIGINT', () => {
    // npm passes on the signal that the terminal has sent us already: the same key press, twice.
    if (since !== undefined && Date.now() - since > 500) process.exit(130)
    if (since === undefined) onInterrupt()
    since ??= Date.now()
    controller.abort()
  })
  return controller.signal
}

await runCommand(async () => {
  const { values, positionals } = readArguments()
  const [file, ...more] = positionals
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (file === undefined || more.length > 0) throw new CliError(usage)
  // npm starts scripts in the project's folder, wherever it was called.
  const catalogue = await readCatalogue(resolve(process.env['INIT_CWD'] ?? '.', file))
  const account = await findAccount(values)
  const display = createProgressDisplay(process.stderr)
  const signal = listenForInterrupt(() => {
    display.clear()
    console.error('Interrupted: waiting for the requests under way.')
  })
  const result = await loadCatalogue({ ...account, catalogue, signal, onProgress: display.show })
  display.clear()
  console.log(describeResult(catalogue, result))
  return isComplete(result) ? 0 : 1
})
