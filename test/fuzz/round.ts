import fc from 'fast-check'
import type { Answer } from '../support/api.ts'
import { createApiModel, type Mode, steps } from '../support/api-model.ts'
import { listDeviations } from '../support/openapi-contract.ts'
import { inspect } from './inspection.ts'
import { type HostileRequest, hostileRequests, operationsOf } from './requests.ts'

/** Makes a request as it is; throws where no answer comes in time. */
export type Send = (request: HostileRequest) => Promise<Answer>

export interface Campaign {
  send: Send
  /** The OpenAPI document. */
  // biome-ignore lint/suspicious/noExplicitAny: the document is JSON from outside
  document: any
  adminToken: string
  /** Strings and bodies that have broken other things. */
  naughty: readonly string[]
  bodies: readonly number[][]
  /** Header values that can be sent at all. */
  sendable: RegExp
  /** How much one round does, at most. */
  steps: number
  requests: number
}

export interface Round {
  /** What is wrong, and with what request. */
  findings: string[]
  statuses: Map<number, number>
  longestMs: number
  /** Objects that were looked at when all was over. */
  objects: number
}

/** Pages for guests are no problem documents, and answer in their own way to what nobody told them of. */
const forGuests = /^\/(?:[tnm]|chip)(?:\/|$)/i
const atOnce = 8

/** One merchant, worked with beside a model, then plagued, and looked at at last. The seed decides what is done to it. */
export async function playRound(seed: number, campaign: Campaign): Promise<Round> {
  const { document, adminToken } = campaign
  const round: Round = { findings: [], statuses: new Map(), longestMs: 0, objects: 0 }
  const deviations = listDeviations(document)

  async function send(request: HostileRequest): Promise<Answer> {
    const startMs = performance.now()
    const answer = await campaign.send(request)
    round.longestMs = Math.max(round.longestMs, performance.now() - startMs)
    round.statuses.set(answer.status, (round.statuses.get(answer.status) ?? 0) + 1)
    return answer
  }
  const ask = (key: string, method: string, path: string, json?: unknown) =>
    send({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    })

  const { body: merchant } = await ask(adminToken, 'POST', '/admin/merchants', { name: 'Fuzzed', currency: 'EUR' })
  const createKey = async (mode: Mode): Promise<string> =>
    (await ask(adminToken, 'POST', `/admin/merchants/${merchant.id}/keys`, { mode })).body.key
  const keys = { live: await createKey('live'), test: await createKey('test') }
  const told = new Set<string>()
  const asMode = async (mode: Mode, method: string, path: string, json?: unknown) => {
    const answer = await ask(keys[mode], method, `/merchants/${merchant.id}${path}`, json)
    for (const name of ['d1-bookmark', 'etag']) told.add(answer.headers.get(name) ?? '')
    for (const [, cursor = ''] of (answer.headers.get('link') ?? '').matchAll(/cursor=([^&>]+)/g)) told.add(cursor)
    return answer
  }

  const world = createApiModel(asMode)
  try {
    for (const step of fc.sample(steps(campaign.steps), { seed, numRuns: 1 })[0] ?? []) await world.step(step)
    await world.check()
  } catch (error) {
    round.findings.push(`beside the model: ${error instanceof Error ? error.message : error}`)
  }

  for (const { object } of world.entries.values()) {
    for (const value of [object['alias'], object['nfcUrl']].flat()) if (value) told.add(String(value))
  }
  const requests = hostileRequests(operationsOf(document), {
    ...campaign,
    merchantId: merchant.id,
    keys: [keys.live, keys.live, keys.test],
    operator: adminToken,
    ids: [...world.entries.keys()],
    told: [...told].filter((text) => text !== ''),
  })
  const pending = fc.sample(requests, { seed, numRuns: campaign.requests })
  const faultsOf = ({ method, path }: HostileRequest, answer: Answer): string[] => {
    if (answer.status >= 500) return [`answers ${answer.status}`]
    if (!/^req_/.test(answer.headers.get('request-id') ?? '')) return ['has no request id']
    if (!/^(?:GET|POST|DELETE)$/.test(method) || answer.status === 405) return []
    const isPage = forGuests.test(path)
    return deviations(method, path, answer).filter((fault) => !(isPage && fault === 'is not documented'))
  }
  const work = async () => {
    for (let request = pending.pop(); request; request = pending.pop()) {
      const faults = await send(request).then(
        (answer) => faultsOf(request, answer),
        (error: unknown) => [`got no answer: ${error}`],
      )
      for (const fault of faults) round.findings.push(`${fault}: ${JSON.stringify(request).slice(0, 2_000)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // Some of the requests may have suspended or closed the merchant.
  for (const change of ['reopen', 'resume']) await ask(adminToken, 'POST', `/admin/merchants/${merchant.id}/${change}`)

  const { faults, objects } = await inspect(asMode, (method, path, answer) =>
    deviations(method, `/merchants/${merchant.id}${path}`, answer),
  )
  round.findings.push(...faults)
  round.objects = objects
  return round
}
