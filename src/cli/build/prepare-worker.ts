import { setUpLocally } from '../local-setup.ts'
import { writeConsole } from './console.ts'
import { writeDocs } from './docs.ts'
import { writeWorker } from './worker.ts'

// wrangler runs this before each build and sets WRANGLER_COMMAND.
const { WRANGLER_COMMAND, SKIP_LOCAL_SETUP, SKIP_DOCS } = process.env
await Promise.all([writeWorker(), SKIP_DOCS ? undefined : writeDocs(), SKIP_DOCS ? undefined : writeConsole()])
// After the files: Miniflare lists those of the folder and fails if one disappears meanwhile.
if (WRANGLER_COMMAND === 'dev' && !SKIP_LOCAL_SETUP) await setUpLocally()
