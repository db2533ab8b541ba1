import { signal } from '@preact/signals'

/** Set while the person is asked to confirm the session. Takes whether they have. */
export const question = signal<((isConfirmed: boolean) => void) | undefined>(undefined)
let answer: Promise<boolean> | undefined

/** Several requests ask once. */
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

/** Sends a request, and again if the person had to confirm the session first, and did. */
export async function sendConfirmed(send: () => Promise<Response>): Promise<Response> {
  const response = await send()
  return (await isUnconfirmed(response)) && (await ask()) ? send() : response
}
