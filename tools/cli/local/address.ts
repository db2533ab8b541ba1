import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'

/** The address of a service on this machine. */
export interface Address {
  hosts: readonly string[]
  port: number
  url: string
}

/** Hosts that are, or include, the loopback address. */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::', '*'])

export const maxPort = 65_535

/** The address that `--ip` and `--port` describe. */
export function readAddress(ip: string, port: string): Address {
  const number = Number(port)
  if (!/^\d{1,5}$/.test(port) || number < 1 || number > maxPort) {
    throw new CliError(`--port ${port} is not valid: it must be a number from 1 to ${maxPort}.`)
  }
  const [hosts, name] = loopbackHosts.has(ip)
    ? [['127.0.0.1', '::1'], 'localhost']
    : [[ip], ip.includes(':') ? `[${ip}]` : ip]
  return { hosts, port: number, url: `http://${name}:${number}` }
}

/** Tries to listen on a port. Returns the error code; undefined on success. */
const tryToListen = (host: string, port: number) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Whether no program uses the port. */
export const isPortFree = async ({ hosts, port }: Address) =>
  (await Promise.all(hosts.map((host) => tryToListen(host, port)))).every((failure) => failure === undefined)

/** Throws if another program uses the port. */
export async function requireFreePort({ hosts, port }: Address): Promise<void> {
  const failures = await Promise.all(hosts.map((host) => tryToListen(host, port)))
  if (failures.includes('EADDRINUSE')) {
    throw new CliError(
      `Port ${port} is in use. Stop the other program, or choose another port: npm run dev -- --port ${port + 1}`,
      1,
    )
  }
  if (failures.includes('EACCES')) throw new CliError(`You do not have permission to use port ${port}.`, 1)
}

const readinessMs = 120_000
const pollMs = 100

/** Waits until the service is healthy. Returns false if the signal is aborted first. */
export async function waitUntilReady({ url }: Address, signal: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + readinessMs
  while (!signal.aborted) {
    const response = await fetch(`${url}/health`, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return true
    if (Date.now() > deadline) throw new CliError(`The service was not ready after ${readinessMs / 1000} seconds.`, 1)
    await setTimeout(pollMs, undefined, { signal }).catch(() => {})
  }
  return false
}
