import fc from 'fast-check'
import type { ApiResponse } from '../support/api.ts'
import { createApiModel, type Mode, steps } from '../support/api-model.ts'
import { listDeviations } from '../support/openapi-contract.ts'
import { inspect } from './inspection.ts'
import { type HostileRequest, hostileRequests, operationsOf } from './requests.ts'

/** Sends a request as it is. Throws if no response arrives in time. */
export type Send = (request: HostileRequest) => Promise<ApiResponse>

export interface Campaign {
  send: Send
  /** The OpenAPI document. */
  // biome-ignore lint/suspicious/noExplicitAny: the document is JSON from outside
  document: any
  adminToken: string
  /** Strings and bodies that have broken other software. */
  naughty: readonly string[]
  bodies: readonly number[][]
  /** Header values that can be sent at all. */
  sendable: RegExp
  /** Maximum steps of one round. */
  steps: number
  requests: number
}

export interface Round {
  /** Each finding with its request. */
  findings: string[]
  statuses: Map<number, number>
  longestMs: number
  /** Number of objects that were inspected at the end. */
  objects: number
}

/** Pages for guests return pages instead of problem documents, also for undocumented parameters. */
const forGuests = /^\/(?:[tnm]|chip)(?:\/|$)/i
/** Addresses of the console, some of which an operation with another method has too. */
const ofConsole = /^\/console\//
const atOnce = 8

/** Runs one round on a new merchant: operations beside the model, then hostile requests, then an inspection. The seed decides all of them. */
export async function playRound(seed: number, campaign: Campaign): Promise<Round> {
  const { document, adminToken } = campaign
  const round: Round = { findings: [], statuses: new Map(), longestMs: 0, objects: 0 }
  const deviations = listDeviations(document)

  async function send(request: HostileRequest): Promise<ApiResponse> {
    const startMs = performance.now()
    const response = await campaign.send(request)
    round.longestMs = Math.max(round.longestMs, performance.now() - startMs)
    round.statuses.set(response.status, (round.statuses.get(response.status) ?? 0) + 1)
    return response
  }
  const sendRequest = (key: string, method: string, path: string, json?: unknown) =>
    send({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    })

  const { body: merchant } = await sendRequest(adminToken, 'POST', '/admin/merchants', {
    name: 'Fuzzed',
    currency: 'EUR',
  })
  const createKey = async (mode: Mode): Promise<string> =>
    (await sendRequest(adminToken, 'POST', `/admin/merchants/${merchant.id}/keys`, { mode })).body.key
  const keys = { live: await createKey('live'), test: await createKey('test') }
  const received = new Set<string>()
  const asMode = async (mode: Mode, method: string, path: string, json?: unknown) => {
    const response = await sendRequest(keys[mode], method, `/merchants/${merchant.id}${path}`, json)
    for (const name of ['d1-bookmark', 'etag']) received.add(response.headers.get(name) ?? '')
    for (const [, cursor = ''] of (response.headers.get('link') ?? '').matchAll(/cursor=([^&>]+)/g))
      received.add(cursor)
    return response
  }

  const model = createApiModel(asMode)
  try {
    for (const step of fc.sample(steps(campaign.steps), { seed, numRuns: 1 })[0] ?? []) await model.step(step)
    await model.check()
  } catch (error) {
    round.findings.push(`beside the model: ${error instanceof Error ? error.message : error}`)
  }

  for (const { object } of model.entries.values()) {
    for (const value of [object['alias'], object['nfcUrl']].flat()) if (value) received.add(String(value))
  }
  const requests = hostileRequests(operationsOf(document), {
    ...campaign,
    merchantId: merchant.id,
    keys: [keys.live, keys.live, keys.test],
    operator: adminToken,
    ids: [...model.entries.keys()],
    received: [...received].filter((text) => text !== ''),
  })
  const pending = fc.sample(requests, { seed, numRuns: campaign.requests })
  const toFindings = ({ method, path }: HostileRequest, response: ApiResponse): string[] => {
    if (response.status >= 500) return [`returns ${response.status}`]
    if (!/^req_/.test(response.headers.get('request-id') ?? '')) return ['has no request id']
    if (!/^(?:GET|POST|DELETE)$/.test(method) || response.status === 405) return []
    const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true
    const isPage = forGuests.test(path) || (method === 'GET' && isHtml && ofConsole.test(path))
    return deviations(method, path, response).filter((finding) => !(isPage && finding === 'is not documented'))
  }
  const work = async () => {
    for (let request = pending.pop(); request; request = pending.pop()) {
      const findings = await send(request).then(
        (response) => toFindings(request, response),
        (error: unknown) => [`got no response: ${error}`],
      )
      for (const finding of findings) round.findings.push(`${finding}: ${JSON.stringify(request).slice(0, 2_000)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // Some of the requests may have suspended or closed the merchant.
  for (const change of ['reopen', 'resume'])
    await sendRequest(adminToken, 'POST', `/admin/merchants/${merchant.id}/${change}`)

  const { findings, objects } = await inspect(asMode, (method, path, response) =>
    deviations(method, `/merchants/${merchant.id}${path}`, response),
  )
  round.findings.push(...findings)
  round.objects = objects
  return round
}
