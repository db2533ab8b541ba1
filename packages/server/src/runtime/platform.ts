import { randomInt } from 'node:crypto'
import { createRequire } from 'node:module'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { Configuration } from '../configuration.ts'
import { dataPaths } from '../data-folder.ts'
import { createOutgoingWorker, outgoingName } from './outgoing.ts'
import { pagesFolder, readModules, type WorkerOptions, workerFolder } from './package-files.ts'
import { endForgottenRuntime, forgetRuntime, recordRuntimeId } from './process.ts'
import { deleteTagCopies } from './tag-copies.ts'

/** The Worker on workerd. */
export interface Platform {
  /** Where it listens on this machine. */
  origin: URL
  /** Runs the cron trigger once. */
  runScheduled(): Promise<void>
  stop(): Promise<void>
}

/**
 * The address at which workerd listens, of this machine only. Webhooks never reach it, even if they may reach other loopback addresses: requests
 * to it are trusted. Other systems than Linux have only one loopback address.
 */
const chooseAddress = () =>
  process.platform === 'linux' ? `127.${[randomInt(1, 255), randomInt(256), randomInt(1, 255)].join('.')}` : '127.0.0.1'

/** The program of workerd that Miniflare depends on. */
function findRuntime(): string {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const found: { default: string } = fromMiniflare('workerd')
  return found.default
}

/** Signals that end the server. */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Creates Miniflare without its handlers of signals: they end the process at once, with requests in progress. */
function createMiniflare(options: ConstructorParameters<typeof Miniflare>[0]): Miniflare {
  const before = endSignals.map((signal) => new Set(process.listeners(signal)))
  const miniflare = new Miniflare(options)
  for (const [index, signal] of endSignals.entries())
    for (const listener of process.listeners(signal))
      if (!before[index]?.has(listener)) process.removeListener(signal, listener)
  return miniflare
}

/** Starts the Worker. Miniflare starts workerd again when it dies, at the same address. */
export async function startPlatform(
  { data, variables, privateWebhooks, hasRateLimits }: Configuration,
  { assets, ratelimits, ...options }: WorkerOptions,
): Promise<Platform> {
  await endForgottenRuntime(data)
  await deleteTagCopies(data)
  recordRuntimeId(data, findRuntime())
  const host = chooseAddress()
  const miniflare = createMiniflare(
    convertV4MiniflareOptions({
      host,
      port: 0,
      // It would ask a server of Cloudflare for the properties of requests.
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.WARN),
      handleStructuredLogs: ({ message }) => console.log(message),
      resourcePersistencePath: dataPaths(data).storage,
      workers: [
        {
          ...options,
          rootPath: workerFolder,
          modulesRoot: workerFolder,
          modules: await readModules(),
          assets: { ...assets, directory: pagesFolder },
          ...(hasRateLimits && { ratelimits }),
          bindings: { ...variables },
          outboundService: outgoingName,
          stripCfConnectingIp: false,
        },
        createOutgoingWorker(privateWebhooks, host, options.name),
      ],
    }),
  )
  await miniflare.ready
  return {
    origin: await miniflare.unsafeGetDirectURL(outgoingName),
    async runScheduled() {
      const worker = await miniflare.getWorker()
      await worker.scheduled({ cron: '* * * * *' })
    },
    async stop() {
      await miniflare.dispose()
      forgetRuntime(data)
    },
  }
}
