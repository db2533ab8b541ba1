import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CliError, getReason, runCommand } from './cli-error.ts'
import { demoFile, readStoredDemo } from './demo/demo.ts'
import { readCatalogueFile } from './loader/catalogue-file.ts'
import { loadCatalogue, type MerchantAccount } from './loader/load-catalogue.ts'
import { createProgressDisplay } from './loader/progress.ts'
import { describeResult, isComplete } from './loader/report.ts'
import { convertSizes } from './loader/size-modifiers.ts'

const usage = `Loads a catalogue file into a merchant. docs/catalogue-files.md describes the format.

  npm run load -- FILE [--update] [--sizes TITLE] [--url URL] [--merchant ID] [--key KEY]

  --update    Update the objects of changed rows. A row's externalId finds its object, or else its title
  --sizes     Title of modifiers that become sizes: their options get full prices instead of additional costs
  --url       Origin of the service
  --merchant  Id of the merchant; requires --key
  --key       API key of the merchant; its mode decides whether live or test objects are created

Each flag defaults to the demo merchant of npm run dev. Objects that exist already are not created again: run the same
command again after an interruption. Exit codes: 0 all rows loaded, 1 some rows not loaded, 2 wrong arguments or file.`

/** Signals within this time belong to the same key press, in milliseconds. */
const repeatedSignalMs = 500

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        update: { type: 'boolean' },
        sizes: { type: 'string' },
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

/** The account from the flags. Default of each flag: the value of the demo merchant. */
async function findAccount(flags: { url?: string; merchant?: string; key?: string }): Promise<MerchantAccount> {
  if (flags.merchant !== undefined && flags.key === undefined) throw new CliError('--merchant requires --key.')
  const needsNoDemo = flags.url !== undefined && flags.merchant !== undefined && flags.key !== undefined
  const demo = needsNoDemo ? undefined : await readStoredDemo(demoFile())
  const { url = demo?.url, merchant: merchantId = demo?.merchantId, key = demo?.liveKey } = flags
  if (url === undefined || merchantId === undefined || key === undefined) {
    throw new CliError('The demo merchant does not exist. Run npm run dev first, or pass --url, --merchant and --key.')
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new CliError(`${url} is not an http or https address.`)
  return { url: url.replace(/\/+$/, ''), merchantId, key }
}

/** A signal that the first Ctrl-C aborts. The second Ctrl-C ends the process immediately. */
function listenForInterrupt(onInterrupt: () => void): AbortSignal {
  const controller = new AbortController()
  let since: number | undefined
  process.on('SIGINT', () => {
    // One key press sends two signals: from the terminal and from npm.
    if (since !== undefined && Date.now() - since > repeatedSignalMs) process.exit(130)
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
  // npm changes to the project's folder. INIT_CWD is the folder where the user called it.
  const content = await readCatalogueFile(resolve(process.env['INIT_CWD'] ?? '.', file))
  const { catalogue, sized } =
    values.sizes === undefined ? { catalogue: content, sized: 0 } : convertSizes(content, values.sizes)
  const account = await findAccount(values)
  const display = createProgressDisplay(process.stderr)
  const signal = listenForInterrupt(() => {
    display.clear()
    console.error('Interrupted. Cancelling the import; press Ctrl-C again to stop immediately.')
  })
  const result = await loadCatalogue({
    ...account,
    catalogue,
    update: values.update ?? false,
    signal,
    onProgress: display.show,
  })
  display.clear()
  if (values.sizes !== undefined) console.log(`${sized} products have sizes of modifiers with this title.`)
  console.log(describeResult(catalogue, result))
  return isComplete(result) ? 0 : 1
})
