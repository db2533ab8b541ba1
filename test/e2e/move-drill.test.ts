import { afterAll, beforeAll, expect, test } from 'vitest'
import { drillMoves } from '../drill/move-drill.ts'
import { createReceiver, type Receiver } from '../support/receiver.ts'
import type { Service } from '../support/service.ts'
import { startService } from './shared-service.ts'

let service: Service
let receiver: Receiver

beforeAll(async () => {
  ;[service, receiver] = await Promise.all([startService(), createReceiver()])
})
afterAll(async () => {
  await service?.close()
  receiver?.close()
})

/** The short form of `npm run drill -- --moves 50`. */
test('merchants move to and fro while they trade and the service is killed, and nothing is lost or made twice', async () => {
  const killed = [['waiting', 'verifying'] as const, ['waiting', 'fenced'] as const]
  const { figures, findings, isWell } = await drillMoves(service, receiver, {
    moves: 4,
    merchants: 2,
    products: 40,
    pauseMs: 200,
    killAt: (round) => killed[round] ?? [],
  })
  expect(findings).toEqual([])
  expect(isWell, JSON.stringify(figures)).toBe(true)
  const measured = new Map(figures)
  expect(measured.get('moves, to objects and back')).toBe(4)
  expect(measured.get('SIGKILLs under load')).toBeGreaterThan(2)
}, 180_000)
