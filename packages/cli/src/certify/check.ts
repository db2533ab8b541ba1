import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { UsageError } from '../errors/usage-error.ts'
import { createId, type Kit } from './deliveries.ts'
import type { Sender } from './send.ts'

/** Time limit of a command, in milliseconds. */
const commandTimeoutMs = 15_000

/** A question about an event and its object. */
export interface Question {
  event: string
  object: string
}

/** Effect of an event and price of its object. An absent member is unknown. */
export interface Shown {
  times?: number
  price?: number | null
}

/** Reads an answer: a number of times, `{"times": 1, "price": 4.5}`, or null for nothing. */
function readAnswer(value: unknown): Shown {
  if (value === null) return { times: 0, price: null }
  if (typeof value === 'number') return { times: value }
  if (typeof value === 'object') {
    const times: unknown = Reflect.get(value, 'times')
    const price: unknown = Reflect.get(value, 'price')
    const shown = {
      ...(typeof times === 'number' && { times }),
      ...((typeof price === 'number' || price === null) && { price }),
    }
    if (Object.keys(shown).length > 0) return shown
  }
  throw new UsageError(
    `The check must answer {"times": 1, "price": 4.5}, a number or null, not ${JSON.stringify(value)}.`,
  )
}

function parseJson(source: string, where: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new UsageError(`${where} did not answer JSON: ${source.slice(0, 200).trim() || 'nothing'}`)
  }
}

/** Answers questions, in their order. */
export type Check = (questions: readonly Question[]) => Promise<Shown[]>

/** Runs a command of the user for each question. The question is never a part of the command's text. */
export function createCommandCheck(command: string, signal: AbortSignal): Check {
  async function ask({ event, object }: Question): Promise<Shown> {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, CERTIFY_EVENT: event, CERTIFY_OBJECT: object },
      signal,
      timeout: commandTimeoutMs,
    })
    // A command that reads only the environment may have ended.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify({ event, object })}\n`)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (code !== 0) throw new UsageError(`The command of --check ended with ${code ?? 'a signal'}.`)
    return readAnswer(parseJson(output, 'The command of --check'))
  }
  return async (questions) => {
    const answers: Shown[] = []
    for (const question of questions) answers.push(await ask(question))
    return answers
  }
}

/** Sends all questions in one request, signed as a delivery is. */
export function createUrlCheck(url: string, kit: Kit, sender: Sender): Check {
  return async (questions) => {
    const body = JSON.stringify(questions)
    const [answer] = await sender.send(url, [{ headers: kit.question(body), body }])
    if (!answer || 'error' in answer) throw new UsageError(`--check-url does not respond: ${answer?.error}`)
    if (answer.status !== 200) throw new UsageError(`--check-url answered ${answer.status} instead of 200.`)
    const answers = parseJson(answer.text, '--check-url')
    if (!Array.isArray(answers) || answers.length !== questions.length)
      throw new UsageError(`--check-url must answer a list of ${questions.length} answers.`)
    return answers.map(readAnswer)
  }
}

/** An event that is never sent: a check that knows it does not look at the receiver. */
export const createControl = (): Question => ({ event: createId('evt'), object: createId('prod') })
