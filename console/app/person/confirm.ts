import { signal } from '@preact/signals'

/** Set while the person is asked to confirm the session. The argument says whether they have confirmed it. */
export const question = signal<((isConfirmed: boolean) => void) | undefined>(undefined)
let answer: Promise<boolean> | undefined

/** Several concurrent requests ask only once. */
function ask(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    question.value = resolve
  }).finally(() => {
    answer = undefined
    question.value = undefined
  })
  return answer
}

/** Whether a request was rejected because the person has to confirm the session. */
async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const { code }: { code?: string } = await response.clone().json()
  return code === 'assertion_required'
}

/** Sends a request. If the person must confirm the session first, sends it again after the confirmation. */
export async function sendConfirmed(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  return (await isUnconfirmed(response)) && (await ask()) ? send() : response
}
