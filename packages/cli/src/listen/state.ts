import { createHash, randomBytes } from 'node:crypto'
import { isRecord, readPrivateFile, writePrivateFile } from '../files.ts'
import type { MerchantProfile } from '../profiles.ts'

/** State of `listen` for one merchant, mode and address. */
export interface ListenState {
  /** Secret that signs the requests. It is kept across starts. */
  secret: string
  /** Position after the last forwarded event. */
  position?: string
}

/** Bytes of a secret (Standard Webhooks: 24 to 64). */
const secretBytes = 24

/** One file for each target, so that several programs can run at once. */
const fileOf = ({ origin, merchantId, key }: MerchantProfile, target: string) => {
  const mode = /^sk_(\w+?)_/.exec(key)?.[1] ?? ''
  const name = createHash('sha256').update([origin, merchantId, mode, target].join('\n')).digest('hex').slice(0, 16)
  return `listen-${name}.json`
}

/** Reads the state of `listen` for an address, or creates it. */
export async function openListenState(profile: MerchantProfile, target: string) {
  const file = fileOf(profile, target)
  const stored = await readPrivateFile(file)
  const { secret, position } = isRecord(stored) ? stored : {}
  const state: ListenState = {
    secret: typeof secret === 'string' ? secret : `whsec_${randomBytes(secretBytes).toString('base64')}`,
    ...(typeof position === 'string' && { position }),
  }
  await writePrivateFile(file, { target, ...state })
  return {
    ...state,
    savePosition: (next: string) => writePrivateFile(file, { target, secret: state.secret, position: next }),
  }
}
