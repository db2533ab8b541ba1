import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkLife } from '../../src/platform/auth/authenticate.ts'
import { connectService } from './shared-service.ts'

const service = await connectService()

/** Sends the head of a request on a connection of its own. Returns a function that sends the body, and returns the status. */
async function startOnSocket(path: string, headers: Record<string, string>, body: string) {
  const { hostname, port, host } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const sent = { host, connection: 'close', 'content-type': 'application/json', ...headers }
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...sent, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return async (): Promise<number> => {
    socket.write(body)
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  }
}

test.each(['d1', 'object'])('what is sent slowly needs rights at its end, at home %s', async (home) => {
  const { id, key } = await service.createAccount({ home })
  const { body: made } = await service.call('POST', `/admin/merchants/${id}/keys`, service.adminToken, { mode: 'live' })
  const product = JSON.stringify({ title: 'Tea', price: 3 })
  const start = (token: string) =>
    startOnSocket(`/merchants/${id}/products`, { authorization: `Bearer ${token}` }, product)
  const [kept, revoked] = [await start(key), await start(made.key)]
  await setTimeout(checkLife.ms + 200)
  const path = `/admin/merchants/${id}/keys/${made.id}`
  expect((await service.call('DELETE', path, service.adminToken)).status).toBe(200)
  expect([await kept(), await revoked()]).toEqual([201, 401])
  const suspended = await start(key)
  await setTimeout(checkLife.ms + 200)
  expect((await service.call('POST', `/admin/merchants/${id}/suspend`, service.adminToken)).status).toBe(200)
  expect(await suspended()).toBe(403)
})
