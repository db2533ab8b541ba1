import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Case, createCases, type Expectation } from './cases.ts'
import { type Check, createCommandCheck, createControl, createUrlCheck, type Shown } from './check.ts'
import { createId, createKit, type Delivery } from './deliveries.ts'
import { type Answer, createSender, defaultTimes } from './send.ts'

/** Rounds of questions after the first delivery and after the last one. One more round follows when all effects are there. */
const firstRounds = 2
const lastRounds = 3

export interface Target {
  url: string
  secret: string
  /** A command of the user, or an address of the receiver. */
  check: { command: string } | { url: string }
  merchantId?: string | undefined
  bearerToken?: string | undefined
}

/** Result of a case: the statuses of its deliveries, and what is wrong. */
interface Result {
  case: string
  passed: boolean
  statuses: readonly (number | null)[]
  problems: readonly string[]
}

export interface Report {
  url: string
  passed: number
  failed: number
  requests: number
  /** Why the run ended before all cases. */
  stopped?: string
  cases: readonly Result[]
}

/** Problems of the response to a delivery. */
function judgeAnswer({ isValid }: Delivery, answer: Answer, timeoutMs: number): string[] {
  if ('error' in answer) return [`No response: ${answer.error}.`]
  const { status, ms } = answer
  if (ms > timeoutMs) return [`The response took ${ms} ms.`]
  if (status >= 300 && status < 400) return [`Answered ${status}: redirects are not followed.`]
  if (status === 410) return ['Answered 410, which deactivates the webhook.']
  const isAccepted = status >= 200 && status < 300
  if (isValid) return isAccepted ? [] : [`Answered ${status} to a valid delivery.`]
  if (isAccepted) return [`Answered ${status} to a delivery that it must reject.`]
  return status >= 400 && status < 500 ? [] : [`Answered ${status} to an invalid delivery: use 400.`]
}

/** Problems of the state of a receiver after all deliveries. */
function judgeShown({ times, price }: Expectation, shown: Shown): string[] {
  const problems: string[] = []
  if (times !== undefined && shown.times !== undefined && shown.times !== times)
    problems.push(`The effect was made ${shown.times} times instead of ${times}.`)
  if (shown.price !== undefined && shown.price !== price)
    problems.push(
      price === null
        ? 'The object must not exist.'
        : `The price of the object is ${shown.price ?? 'missing'} instead of ${price}.`,
    )
  return problems
}

/** A check that does not look at the receiver. */
class CheckError extends Error {}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const left = [...items]
  const shuffled: Item[] = []
  while (left.length > 0) shuffled.push(...left.splice(randomInt(left.length), 1))
  return shuffled
}

/** Sends the deliveries of all cases to a receiver, and checks its responses and their effects. Tests use other `times`. */
export async function certify(
  target: Target,
  signal: AbortSignal,
  onCase: (done: number, total: number) => void = () => undefined,
  times = defaultTimes,
): Promise<Report> {
  const { url, secret, bearerToken, merchantId = createId('mer') } = target
  const kit = createKit({ secret, merchantId, bearerToken })
  const sender = createSender(times, signal)
  const check: Check =
    'command' in target.check
      ? createCommandCheck(target.check.command, signal)
      : createUrlCheck(target.check.url, kit, sender)
  const { first, others } = createCases(kit)
  const answers = new Map<Case, { statuses: (number | null)[]; problems: string[] }>()

  async function send(each: Case): Promise<void> {
    const statuses: (number | null)[] = []
    const problems: string[] = []
    answers.set(each, { statuses, problems })
    for (const step of each.steps) {
      const made = step()
      const deliveries = 'body' in made ? [made] : made
      const received = await sender.send(url, deliveries)
      deliveries.forEach((delivery, index) => {
        const answer = received[index] ?? { error: 'none', ms: 0 }
        statuses.push('status' in answer ? answer.status : null)
        problems.push(...judgeAnswer(delivery, answer, times.timeoutMs))
      })
    }
  }

  /** Asks until all is as expected or no round is left. Returns the problems of each case. */
  async function ask(cases: readonly Case[], rounds: number): Promise<Map<Case, string[]>> {
    const asked = cases.flatMap((each) => each.expected.map((expected) => ({ each, expected })))
    const questions = asked.map(({ expected: { event, object } }) => ({ event, object }))
    for (let round = 1; ; round++) {
      await wait(times.roundMs, undefined, { signal })
      const shown = await check([...questions, createControl()])
      const problems = new Map<Case, string[]>(cases.map((each) => [each, []]))
      asked.forEach(({ each, expected }, index) => {
        problems.get(each)?.push(...judgeShown(expected, shown[index] ?? {}))
      })
      if (Object.values(shown.at(-1) ?? {}).some(Boolean))
        throw new CheckError('The check shows an effect of an event that was never sent.')
      if (round >= rounds || [...problems.values()].every(({ length }) => length === 0)) return problems
    }
  }

  const toReport = (shown: ReadonlyMap<Case, string[]>, stopped?: string): Report => {
    const cases = [first, ...others].flatMap((each): Result[] => {
      const found = answers.get(each)
      if (!found) return []
      const problems = [...found.problems, ...(shown.get(each) ?? [])]
      const isPassed = problems.length === 0
      return [
        {
          case: each.name,
          passed: isPassed,
          statuses: found.statuses,
          problems: isPassed ? [] : [...problems, each.rule],
        },
      ]
    })
    const passed = cases.filter((each) => each.passed).length
    return {
      url,
      passed,
      failed: cases.length - passed,
      requests: sender.count(),
      ...(stopped !== undefined && { stopped }),
      cases,
    }
  }

  try {
    const [before] = await check(first.expected.map(({ event, object }) => ({ event, object })))
    if (Object.values(before ?? {}).some(Boolean))
      throw new CheckError('The check shows an effect of an event before it is sent.')
    await send(first)
    const begun = await ask([first], firstRounds)
    if (toReport(begun).failed > 0)
      return toReport(begun, 'The first valid delivery has no effect: nothing else was sent.')
    let done = 1
    for (const each of shuffle(others)) {
      onCase(done++, others.length + 1)
      await send(each)
    }
    const shown = await ask(others, lastRounds)
    // Asks everything once more: an effect can come late, and a check can change its answers.
    const final = await ask(others, 1)
    for (const [each, problems] of shown) if (problems.length === 0) shown.set(each, final.get(each) ?? [])
    return toReport(shown)
  } catch (error) {
    if (error instanceof CheckError) return toReport(new Map(), error.message)
    throw error
  }
}
