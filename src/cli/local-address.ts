import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { CliError } from './cli-error.ts'

/** Where a service on this machine listens, and how it is reached. */
export interface Address {
  hosts: readonly string[]
  port: number
  url: string
}

/** Hosts that include, or are, this machine's loopback. */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::', '*'])

/** The address that `--ip` and `--port` describe. */
export function readAddress(ip: string, port: string): Address {
  const number = Number(port)
  if (!/^\d{1,5}$/.test(port) || number < 1 || number > 65_535) {
    throw new CliError(`--port ${port} is not a port: it must be a number from 1 to 65535.`)
  }
  const [hosts, name] = loopbackHosts.has(ip)
    ? [['127.0.0.1', '::1'], 'localhost']
    : [[ip], ip.includes(':') ? `[${ip}]` : ip]
  return { hosts, port: number, url: `http://${name}:${number}` }
}

/** The error code of a failed attempt to listen; undefined where it succeeds. */
const tryToListen = (host: string, port: number) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Fails where another program has the port. */
export async function requireFreePort({ hosts, port }: Address): Promise<void> {
  const failures = await Promise.all(hosts.map((host) => tryToListen(host, port)))
  if (failures.includes('EADDRINUSE')) {
    throw new CliError(
      `Port ${port} is in use. Stop what runs there, or choose another: npm run dev -- --port ${port + 1}`,
      1,
    )
  }
  if (failures.includes('EACCES')) throw new CliError(`Port ${port} needs rights that you do not have.`, 1)
}

const readinessMs = 120_000
const pollMs = 100

/** Waits until the service says that it is ready; false when the signal came first. */
export async function waitUntilReady({ url }: Address, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + readinessMs
  while (!signal.aborted) {
    const response = await fetch(`${url}/health`, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return true
    if (Date.now() > deadline) throw new CliError(`The service is not ready after ${readinessMs / 1000} seconds.`, 1)
    await setTimeout(pollMs, undefined, { signal }).catch(() => {})
  }
  return false
}
