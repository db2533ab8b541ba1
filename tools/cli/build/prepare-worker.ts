import { setUpLocally } from '../local/setup.ts'
import { projectFolder } from '../project-folder.ts'
import { isBuilt, recordBuild } from './source-hash.ts'

// wrangler runs this before each build and sets WRANGLER_COMMAND.
const { WRANGLER_COMMAND, SKIP_LOCAL_SETUP } = process.env
const isDev = WRANGLER_COMMAND === 'dev'

/** Builds the Worker, the documentation and the console, with modules that take a second of CPU time to load. */
async function build(): Promise<void> {
  const [{ writeConsole }, { writeDocs }, { writeWorker }] = await Promise.all([
    import('./console.ts'),
    import('./docs.ts'),
    import('./worker.ts'),
  ])
  await Promise.all([writeWorker(), writeDocs(), writeConsole()])
}

// A deployment always builds.
const canSkip = isDev || process.argv.includes('--if-changed')
if (!canSkip || !isBuilt(projectFolder)) await recordBuild(projectFolder, build)
// Runs after the files are written: Miniflare lists the files of the folder, and fails if one disappears during this.
if (isDev && !SKIP_LOCAL_SETUP) await setUpLocally()
