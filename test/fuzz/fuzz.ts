import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CliError, runCommand } from '../../tools/cli/cli-error.ts'
import type { ApiResponse } from '../support/api.ts'
import { closeAtEnd, createService, adminToken as ownToken } from '../support/service.ts'
import type { HostileRequest } from './requests.ts'
import { type Campaign, playRound } from './round.ts'

const usage = `Sends random requests to the service for a time, and inspects its state afterwards.

  npm run fuzz -- [--minutes 1] [--rounds N] [--seed S]
                  [--url http://localhost:8787 --admin-token TOKEN]   otherwise it starts a service of its own
                  [--naughty ../shared/data/naughty]                  strings and bodies that have broken other things

It ends with 1 where it found something, and says with which seed to find it again.`

/** Time without a response after which a request counts as hanging. */
const patienceMs = 30_000
const progressMs = 30_000
/** Number of requests that were made again. */
let repeated = 0

/** The Big List of Naughty Strings and JSONTestSuite, where they are. */
function readNaughty(folder: string): Pick<Campaign, 'naughty' | 'bodies'> {
  const strings = join(folder, 'blns.json')
  const texts = join(folder, 'json-parsing')
  return {
    naughty: existsSync(strings) ? JSON.parse(readFileSync(strings, 'utf8')) : [],
    bodies: filesIn(texts)
      .map((file) => [...readFileSync(file)])
      .filter(({ length }) => length < 100_000),
  }
}

await runCommand(async () => {
  const text = { type: 'string' } as const
  const options = { minutes: text, rounds: text, seed: text, url: text, 'admin-token': text, naughty: text } as const
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const number = (value: string | undefined, fallback: number) => {
    const parsed = Number(value ?? fallback)
    if (!Number.isFinite(parsed) || parsed < 0) throw new CliError(`${value} is not a number.\n\n${usage}`)
    return parsed
  }
  const rounds = values.rounds === undefined ? Number.POSITIVE_INFINITY : number(values.rounds, 1)
  const minutes = number(values.minutes, values.rounds === undefined ? 1 : Number.MAX_SAFE_INTEGER)
  const firstSeed = number(values.seed, Math.floor(Math.random() * 1e6))
  const project = resolve(import.meta.dirname, '../..')
  const folder = values.naughty ?? process.env['NAUGHTY'] ?? resolve(project, '../shared/data/naughty')

  const service = values.url === undefined ? await createService() : undefined
  const origin = values.url ?? service?.origin ?? ''
  if (service) closeAtEnd(service)
  const known = readNaughty(folder)
  console.log(`${known.naughty.length} naughty strings and ${known.bodies.length} bodies from ${folder}`)
  try {
    const campaign: Campaign = {
      ...known,
      send: (request) => send(origin, request),
      document: await (await fetch(`${origin}/openapi.json`)).json(),
      adminToken: values['admin-token'] ?? ownToken,
      sendable: /^[\t\x20-\x7e\x80-\xff]*$/,
      steps: 120,
      requests: 400,
    }
    return await fuzz(campaign, { rounds, minutes, firstSeed, origin: values.url })
  } finally {
    await service?.close()
  }
})

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/**
 * The local server sometimes closes the connection of a request whose body the service did not read before it responded. Then no response
 * comes, or one without a request id. Such a request is reported and sent again: what is lost twice is a finding. A timeout and a body that
 * cannot be read are findings at once.
 */
async function send(origin: string, request: HostileRequest): Promise<ApiResponse> {
  let reason: string
  try {
    const response = await sendOnce(origin, request)
    if (response.status < 500 || response.headers.has('request-id')) return response
    reason = `${response.status} without a request id`
  } catch (error) {
    // `fetch` throws a TypeError for a connection that ends.
    if (!(error instanceof TypeError)) throw error
    reason = String(error.cause ?? error)
  }
  repeated++
  console.log(`SENT AGAIN: ${request.method} ${request.path.slice(0, 200)}: ${reason}`)
  return sendOnce(origin, request)
}

async function sendOnce(origin: string, { method, path, headers, body }: HostileRequest): Promise<ApiResponse> {
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const content = typeof body === 'string' ? body : new Uint8Array(body ?? [])
  const response = await fetch(new URL(path, origin), {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
    ...(hasBody ? { body: content } : {}),
  })
  const text = await response.text()
  const isJson = /json\b/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
}

interface Extent {
  rounds: number
  minutes: number
  firstSeed: number
  origin: string | undefined
}

async function fuzz(campaign: Campaign, { rounds, minutes, firstSeed, origin }: Extent): Promise<number> {
  const startMs = Date.now()
  const statuses = new Map<number, number>()
  let [played, objects, longestMs, shownMs, found] = [0, 0, 0, Date.now(), 0]
  while (played < rounds && Date.now() - startMs < minutes * 60_000) {
    const seed = firstSeed + played++
    const round = await playRound(seed, campaign)
    for (const [status, count] of round.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
    objects += round.objects
    longestMs = Math.max(longestMs, round.longestMs)
    found += round.findings.length
    for (const finding of round.findings) console.log(`FOUND with seed ${seed}: ${finding}`)
    if (round.findings.length > 0) {
      const where = origin === undefined ? '' : ` --url ${origin} --admin-token …`
      console.log(`  again: npm run fuzz -- --seed ${seed} --rounds 1${where}`)
    }
    if (Date.now() - shownMs < progressMs) continue
    shownMs = Date.now()
    console.log(`${played} rounds, ${[...statuses.values()].reduce((a, b) => a + b, 0)} requests, ${found} findings`)
  }
  const total = [...statuses.values()].reduce((a, b) => a + b, 0)
  const rows = [
    ['minutes', ((Date.now() - startMs) / 60_000).toFixed(1)],
    ['rounds', `${played}, seeds ${firstSeed} to ${firstSeed + played - 1}`],
    ['requests', total.toLocaleString('en')],
    ['objects looked at afterwards', objects.toLocaleString('en')],
    [
      'responses by status',
      [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ],
    [
      'responses of 500 and above',
      [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0),
    ],
    ['requests made again', repeated],
    ['longest wait for a response, ms', Math.round(longestMs)],
    ['findings', found],
  ]
  console.log(
    `\n| Figure | Measured |\n| --- | --- |\n${rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n')}`,
  )
  return found > 0 || total === 0 ? 1 : 0
}
