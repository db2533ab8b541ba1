import { checkLink, signLink } from '../../../platform/auth/signed-link.ts'
import type { Bindings } from '../../../platform/env.ts'
import { getIdForm } from '../../../platform/lib/ids.ts'
import { releasePrefix } from '../release-limits.ts'

const purpose = 'release'

/** The release that an address shows, its mode, and the time. */
interface ReleaseLink {
  release: string
  testMode: boolean
  /** Absent: the time of the request. */
  at: number | undefined
}

const form = new RegExp(`^(${getIdForm(releasePrefix)})\\.(live|test)\\.(\\d{0,12})\\.(\\d{10})\\.([\\w-]{1,64})$`)

/** The value of the parameter `release` that shows a release for some seconds, and when it expires. */
export async function createReleaseLink(
  env: Bindings,
  merchantId: string,
  { release, testMode, at }: ReleaseLink,
  lifetime: number,
) {
  const state = `${release}.${testMode ? 'test' : 'live'}.${at ?? ''}`
  const { expiresAt, seal } = await signLink(env, purpose, `${merchantId}.${state}`, lifetime)
  return { value: `${state}.${expiresAt}.${seal}`, expiresAt }
}

/** The release that a parameter names; undefined if it is not signed for this merchant, or has expired. */
export async function readReleaseLink(
  env: Bindings,
  merchantId: string,
  value: string,
): Promise<ReleaseLink | undefined> {
  const [, release = '', mode = '', at = '', expires = '', seal = ''] = form.exec(value) ?? []
  const content = `${merchantId}.${release}.${mode}.${at}`
  if ((await checkLink(env, purpose, { content, expires, seal })) !== 'valid') return undefined
  return { release, testMode: mode === 'test', at: at === '' ? undefined : Number(at) }
}
