import { type Client, createClient, createOperator, type Operator } from 'merchant-ordering-client'
import { UsageError } from './errors/usage-error.ts'
import { isRecord, readPrivateFile, writePrivateFile } from './files.ts'

/** The service and the key of commands. Without `merchantId`, it is the operator's. */
export interface Profile {
  origin: string
  key: string
  merchantId?: string
}

/** The stored profiles. */
export interface Profiles {
  /** Name of the profile that commands use. */
  current: string
  profiles: Readonly<Record<string, Profile>>
}

const file = 'profiles.json'
/** Name of the profile that commands use first. */
export const defaultName = 'default'
/** Environment variables replace a stored profile, for example in CI. */
const variables = {
  origin: 'MERCHANT_ORDERING_URL',
  merchantId: 'MERCHANT_ORDERING_MERCHANT',
  key: 'MERCHANT_ORDERING_KEY',
} as const

function toProfile(value: unknown): Profile | undefined {
  if (!isRecord(value)) return undefined
  const { origin, key, merchantId } = value
  if (typeof origin !== 'string' || typeof key !== 'string') return undefined
  return { origin, key, ...(typeof merchantId === 'string' && { merchantId }) }
}

/** Reads the stored profiles. Leaves out unreadable ones. */
export async function readProfiles(): Promise<Profiles> {
  const stored = await readPrivateFile(file)
  const { current, profiles } = isRecord(stored) ? stored : {}
  const known = Object.entries(isRecord(profiles) ? profiles : {}).flatMap(([name, value]) => {
    const profile = toProfile(value)
    return profile ? [[name, profile] as const] : []
  })
  return { current: typeof current === 'string' ? current : defaultName, profiles: Object.fromEntries(known) }
}

/** Writes the profiles. Profiles that this release cannot read stay unchanged. */
export async function writeProfiles({ current, profiles }: Profiles): Promise<void> {
  const stored = await readPrivateFile(file)
  const all = Object.entries(isRecord(stored) && isRecord(stored['profiles']) ? stored['profiles'] : {})
  const unreadable = Object.fromEntries(all.filter(([, value]) => !toProfile(value)))
  await writePrivateFile(file, { current, profiles: { ...unreadable, ...profiles } })
}

/** The profile of a command: that of `--profile`, of the environment, or the current one. */
export async function findProfile(name: string | undefined): Promise<Profile> {
  const env = process.env
  const [origin, key, merchantId] = [env[variables.origin], env[variables.key], env[variables.merchantId]]
  if (name === undefined && origin && key) {
    return { origin: readOrigin(origin), key, ...(merchantId && { merchantId }) }
  }
  const { current, profiles } = await readProfiles()
  const profile = profiles[name ?? current]
  if (profile) return profile
  throw new UsageError(
    name === undefined
      ? 'No profile. Run "merchant-ordering login" first.'
      : `The profile ${name} does not exist. Run "merchant-ordering login --profile ${name}" first.`,
  )
}

/** The origin of a service. Keys are sent over HTTPS, or within this machine. */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not an address. Example: https://api.example.com`)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) || url.hostname.endsWith('.localhost')
  if (url.protocol === 'http:' && !isLocal) throw new UsageError('A key is sent only over HTTPS, except to localhost.')
  return url.origin
}

/** A profile of a merchant. */
export interface MerchantProfile extends Profile {
  merchantId: string
}

/** The profile with its merchant. Throws if it is signed in as the operator. */
export function requireMerchant({ merchantId, ...profile }: Profile): MerchantProfile {
  if (merchantId === undefined)
    throw new UsageError(`This command needs a merchant: sign in with --merchant ID, or set ${variables.merchantId}.`)
  return { ...profile, merchantId }
}

/** The profile of an operator. Throws if it is signed in to a merchant. */
export function requireOperator({ merchantId, ...profile }: Profile): Profile {
  if (merchantId !== undefined) {
    throw new UsageError('This command needs the profile of an operator: "merchant-ordering login --operator".')
  }
  return profile
}

/** A client of the profile's merchant. */
export const connect = (profile: Profile): Client => createClient(requireMerchant(profile))
/** A client of the operator. */
export const connectOperator = (profile: Profile): Operator => createOperator(requireOperator(profile))
