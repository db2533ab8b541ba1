import type { Bindings, HomeObject, MovePartChange, ObjectResult } from '../../env.ts'
import { log } from '../../lib/log.ts'
import { timedOut, withTimeout } from '../../lib/time.ts'
import type { BoundStatement } from '../database.ts'
import { MovedError } from '../database-errors.ts'
import type { Row } from '../row.ts'
import type { ObjectHome } from './home.ts'

type Homes = DurableObjectNamespace<HomeObject>

/** workerd does not support jurisdictions: locally the object has none. */
const isNotImplemented = (error: unknown) => error instanceof Error && /not implemented/i.test(error.message)

function inJurisdiction(homes: Homes, jurisdiction: string | undefined): Homes {
  const known = jurisdictions.find((name) => name === jurisdiction)
  if (!known) return homes
  try {
    return homes.jurisdiction(known)
  } catch (error) {
    if (isNotImplemented(error)) return homes
    throw error
  }
}

/** Places near which an object can be created. */
export const locations = [
  'wnam',
  'enam',
  'sam',
  'weur',
  'eeur',
  'apac',
  'apac-ne',
  'apac-se',
  'oc',
  'afr',
  'me',
] as const satisfies readonly DurableObjectLocationHint[]
/** Jurisdictions in which an object can be kept. */
export const jurisdictions = ['eu'] as const

/** The stub of a merchant's object. The first use creates the object, near its location. */
export function getHomeObject(homes: Homes, merchantId: string, home: ObjectHome): DurableObjectStub<HomeObject> {
  const own = inJurisdiction(homes, home.jurisdiction)
  const locationHint = locations.find((hint) => hint === home.location)
  return own.get(own.idFromName(`${merchantId}.${home.object}`), locationHint ? { locationHint } : {})
}

/** Maximum time that a response waits for an object to refresh its copies, in milliseconds. */
const renewTimeoutMs = 2_000

/**
 * Makes a merchant's object refresh its copies of the merchant's rows in the directory. Never throws: the object also refreshes them when a caller
 * knows a later version.
 */
export async function renewObject(env: Bindings, merchantId: string, home: ObjectHome): Promise<void> {
  const { object, settingsVersion } = home
  try {
    const renewed = getHomeObject(env.HOMES, merchantId, home).renew({ merchantId, object, settingsVersion })
    if ((await withTimeout(renewTimeoutMs, renewed)) === timedOut) throw new Error('no response')
  } catch (error) {
    log(env, 'object not renewed', { merchant: merchantId, error: String(error) })
  }
}

/** Sets the role of a merchant's object in a move. Runs statements there in any role. */
export async function takePartInObject(
  env: Bindings,
  merchantId: string,
  home: ObjectHome,
  change: MovePartChange,
  statements: readonly BoundStatement[] = [],
): Promise<Row[][]> {
  const { object, settingsVersion } = home
  const identity = { merchantId, object, settingsVersion }
  return getRows(await getHomeObject(env.HOMES, merchantId, home).takePart(identity, change, statements))
}

/** Deletes the data of an object that is no longer a home, or never was one. */
export const discardObject = (env: Bindings, merchantId: string, home: ObjectHome): Promise<void> =>
  getHomeObject(env.HOMES, merchantId, home).discard()

/** Erases a merchant's object, with all its data. */
export const eraseObject = (env: Bindings, merchantId: string, home: ObjectHome): Promise<void> =>
  getHomeObject(env.HOMES, merchantId, home).erase()

/** Message of an object that no longer has the data, or is about to lose it. */
export const movedMessage = 'moved'

/** The rows that an object returned. Throws the error that undid the transaction. */
function getRows({ rows, error }: ObjectResult): Row[][] {
  if (error === movedMessage) throw new MovedError()
  if (error !== undefined) throw new Error(error)
  return rows
}

/** A deployment, or a move of the object to another machine, interrupts calls. These calls can be repeated. */
const isInterruption = (error: unknown) => error instanceof Error && Reflect.get(error, 'retryable') === true

/** Runs statements in a merchant's object. Repeats interrupted reads once. Does not repeat writes: they may have been committed. */
export async function runInObject(
  homes: Homes,
  merchantId: string,
  home: ObjectHome,
  statements: readonly BoundStatement[],
): Promise<Row[][]> {
  const identity = { merchantId, object: home.object, settingsVersion: home.settingsVersion }
  // After a failed call, a stub may be broken.
  const run = () => getHomeObject(homes, merchantId, home).run(identity, statements)
  const result = await run().catch((error: unknown) => {
    if (!isInterruption(error) || statements.some(({ isWrite }) => isWrite)) throw error
    return run()
  })
  return getRows(result)
}
