import { setUpLocally } from '../local/setup.ts'
import { writeWorker } from './worker.ts'

// wrangler runs this before each build and sets WRANGLER_COMMAND.
const { WRANGLER_COMMAND, SKIP_LOCAL_SETUP, SKIP_DOCS } = process.env

/** Builds the documentation and the console, with modules that take a second of CPU time to load. */
async function writeAssets(): Promise<void> {
  const [{ writeConsole }, { writeDocs }] = await Promise.all([import('./console.ts'), import('./docs.ts')])
  await Promise.all([writeDocs(), writeConsole()])
}
await Promise.all([writeWorker(), SKIP_DOCS ? undefined : writeAssets()])
// After the files: Miniflare lists those of the folder and fails if one disappears meanwhile.
if (WRANGLER_COMMAND === 'dev' && !SKIP_LOCAL_SETUP) await setUpLocally()
