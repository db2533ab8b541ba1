import type { OwnSession, PasskeyCreationOptions, PasskeyRequestOptions } from '../../../packages/client/src/client.ts'
import { nameDevice } from '../device.ts'
import { startTexts } from '../language.ts'
import { signInOperator, startSession } from '../session.ts'
import { toBytes, toJson } from './credential.ts'

export const passkeysPath = '/console/passkeys'
const operatorPath = '/console/operator'
export const post = (path: string, body: object) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Status of a passkey that the person or the browser refused. */
const cancelled = 0

/** Reason why a sign-in, or a request for a passkey, failed. */
export function describeStatus(status: number, rejected = startTexts().signIn.passkeyRejected): string {
  const { signIn, problem } = startTexts()
  if (status === cancelled) return signIn.passkeyCancelled
  if (status === 403) return signIn.suspended
  if (status === 429) return problem.rateLimited
  return status < 500 ? rejected : problem.unavailable
}

/** The browser's response for a passkey; undefined if the person cancels, or the browser has no passkeys. */
async function ask(request: () => Promise<Credential | null>) {
  try {
    const credential = await request()
    return credential instanceof PublicKeyCredential ? toJson(credential) : undefined
  } catch {
    return undefined
  }
}

/** The invitation of a token. Undefined if it can no longer be used. The type follows from the OpenAPI document. */
export async function openInvitation<Invitation>(
  kind: 'console' | 'console/operator',
  token: string,
): Promise<Invitation | undefined> {
  const response = await post(`/${kind}/invitation`, { token })
  return response.ok ? response.json() : undefined
}

async function finish(response: Response) {
  if (response.ok) {
    const session: OwnSession = await response.json()
    startSession(session)
  }
  return response.status
}

/** Asks for a passkey, and sends it. `only` restricts the options. Returns the status of the response. */
export async function getPasskey(
  only: Partial<PublicKeyCredentialRequestOptions>,
  send: (credential: object) => Promise<number>,
): Promise<number> {
  const response = await post(`${passkeysPath}/options`, {})
  if (!response.ok) return response.status
  const options: PasskeyRequestOptions = await response.json()
  const publicKey = { ...options, challenge: toBytes(options.challenge), ...only }
  const credential = await ask(() => navigator.credentials.get({ publicKey }))
  return credential ? send(credential) : cancelled
}

/**
 * Signs in with a passkey: at the venue of an invitation, which the person joins, or at the given venue. Default: the last used venue that is not
 * suspended. Returns the status of the response.
 */
export const signInWithPasskey = (at: { token?: string; merchant?: string } = {}): Promise<number> =>
  getPasskey({}, async (credential) => finish(await post(`${passkeysPath}/session`, { ...at, credential })))

/** Signs in as an operator with a passkey. Returns the status of the response. */
export const signInOperatorWithPasskey = (): Promise<number> =>
  getPasskey({}, (credential) => signInOperator({ credential }))

/** The browser's response for a new passkey; undefined if the person cancels. */
async function askForNew(response: Response) {
  const { challenge, user, excludeCredentials, ...options }: PasskeyCreationOptions = await response.json()
  const publicKey = {
    ...options,
    challenge: toBytes(challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: excludeCredentials.map(({ type, id }) => ({ type, id: toBytes(id) })),
  }
  return ask(() => navigator.credentials.create({ publicKey }))
}
const nameOfDevice = () => nameDevice(navigator.userAgent) || null

/** Creates the passkey of an invited operator, who is then signed in. Returns the status of the response. */
export async function joinAsOperator(token: string): Promise<number> {
  const response = await post(`${operatorPath}/registration`, { token })
  if (!response.ok) return response.status
  const credential = await askForNew(response)
  return credential
    ? signInOperator({ token, credential, title: nameOfDevice() }, `${operatorPath}/passkeys`)
    : cancelled
}

/**
 * Creates a passkey for the member who is signed in, or for an invited person. `confirm` sends a request, and again once the member has
 * confirmed the session. Returns the status of the response.
 */
export async function createPasskey(
  invited?: { token: string; name: string },
  confirm = (send: () => Promise<Response>) => send(),
): Promise<number> {
  const response = await confirm(() => post(`${passkeysPath}/registration`, { ...invited }))
  if (!response.ok) return response.status
  const credential = await askForNew(response)
  if (!credential) return cancelled
  const body = { ...invited, credential, title: nameOfDevice() }
  const created = await confirm(() => post(passkeysPath, body))
  return invited ? finish(created) : created.status
}
