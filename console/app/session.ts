import { computed, signal } from '@preact/signals'
import type { OperatorSession, OwnSession } from '../../packages/client/src/client.ts'

/** The session of the cookie; undefined while nobody is signed in. */
export const session = signal<OwnSession | undefined>(undefined)
/** The session of the operator; undefined unless the operator is signed in. */
export const operator = signal<OperatorSession | undefined>(undefined)
/** Whether the operator may change things: the role `support` only reads. */
export const isAdmin = () => operator.value?.operator?.role !== 'support'
/** Whether an operator has opened the venue for an hour. */
export const isSupport = () => session.value?.support !== undefined
export const isSignedIn = computed(() => session.value !== undefined || operator.value !== undefined)
/** Whether the session has ended while it was in use. */
export const hasEnded = signal(false)

/** Whether this browser had a session at the last visit: only then the session is requested. */
const hintName = 'console.signedIn'
const hints = { venue: '1', operator: 'operator', support: 'support' } as const
export const mayHaveSession = () => localStorage.getItem(hintName) !== null

export const sessionPath = '/console/session'
export const operatorPath = '/admin/sessions'
const json = { 'content-type': 'application/json' }

/** Set if a member chose test mode: the mode in which tabs open. The session of a key has the mode of the key. */
const modeName = 'console.test'

/** Sends a request in the mode of this tab, because another tab may have chosen the other mode. If the session has ended, shows the sign-in form. */
export async function sendSigned(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const sent = session.value
  const mode = sent?.mode ?? (localStorage.getItem(modeName) ? 'test' : undefined)
  if (mode) headers.set('mode', mode)
  const response = await fetch(url, { ...init, headers })
  // Of several requests of a session that has ended, the first one is enough: another session may have followed.
  if (response.status === 401 && session.value === sent) {
    const wasSupport = isSupport()
    hasEnded.value = isSignedIn.value
    setSession(undefined)
    if (wasSupport) await returnToOperator()
  }
  return response
}

/** Shows the screens of a session; without a session, the sign-in form. */
export function setSession(next: OwnSession | undefined) {
  session.value = next
  operator.value = undefined
  if (next) localStorage.setItem(hintName, next.support ? hints.support : hints.venue)
  else localStorage.removeItem(hintName)
  if (!next?.user && !next?.support) localStorage.removeItem(modeName)
}

/** Shows the venue of a session that has started. */
export function startSession(next: OwnSession): void {
  localStorage.removeItem(modeName)
  hasEnded.value = false
  setSession(next)
}

/** Opens the console in another mode. */
export function chooseMode(mode: 'live' | 'test'): void {
  if (mode === 'test') localStorage.setItem(modeName, '1')
  else localStorage.removeItem(modeName)
  location.reload()
}

/** The type follows from the OpenAPI document. */
const readSession = async (response: Response): Promise<OwnSession> => response.json()

/** If the service is busy, the session has not ended. */
function requireResponse({ status }: Response) {
  if (status >= 500 || status === 429) throw new Error(`The session request returned ${status}.`)
}

/** Reads the session of the cookie, if there is one. */
export async function restoreSession(): Promise<void> {
  if (localStorage.getItem(hintName) === hints.operator) {
    const response = await fetch(operatorPath)
    requireResponse(response)
    const sessions: OperatorSession[] = response.ok ? await response.json() : []
    operator.value = sessions.find(({ current }) => current)
    return
  }
  const wasSupport = localStorage.getItem(hintName) === hints.support
  const response = await sendSigned(sessionPath)
  requireResponse(response)
  setSession(response.ok ? await readSession(response) : undefined)
  if (response.ok || !wasSupport) return
  hasEnded.value = true
  await returnToOperator()
}

/** Shows the screens of the operator again after an hour of support. Without a session of the operator, the sign-in form. */
export async function returnToOperator(): Promise<void> {
  localStorage.setItem(hintName, hints.operator)
  await restoreSession()
}

/** Signs in with an API key. Returns the status of the response. */
export async function signIn(key: string): Promise<number> {
  const response = await fetch(sessionPath, { method: 'POST', headers: json, body: JSON.stringify({ key }) })
  if (response.ok) startSession(await readSession(response))
  return response.status
}

/**
 * Signs in as an operator with the token or a passkey, without both by Cloudflare Access. With the token of an invitation, accepts it. Returns the
 * status of the response.
 */
export async function signInOperator(body: object, path = '/console/operator'): Promise<number> {
  const response = await fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  if (response.ok) {
    const next: OperatorSession = await response.json()
    hasEnded.value = false
    // A new session replaces that of the operator, who stays on the same screen.
    if (!operator.value) setSession(undefined)
    operator.value = next
    localStorage.setItem(hintName, hints.operator)
  } else await response.body?.cancel()
  return response.status
}

/** Prefix of the names under which this browser stores typed text. */
export const draftPrefix = 'console.draft '

/** Whether the session has a scope. `:write` implies `:read`. */
export const hasScope = (scope: string) => {
  const scopes = session.value?.scopes ?? []
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ':write'))
}
