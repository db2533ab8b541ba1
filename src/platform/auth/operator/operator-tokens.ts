import type { Bindings } from '../../env.ts'
import { ApiError } from '../../errors.ts'
import { log } from '../../lib/log.ts'

type Tokens = Pick<Bindings, 'ADMIN_TOKEN' | 'ADMIN_TOKEN_NEXT'>

/** The tokens that the service accepts, the newest first. Two while one replaces the other; none: `/admin` does not exist. */
export const getOperatorTokens = ({ ADMIN_TOKEN, ADMIN_TOKEN_NEXT }: Tokens): readonly string[] =>
  [ADMIN_TOKEN_NEXT ?? '', ADMIN_TOKEN ?? ''].filter((token) => token !== '')

const issue = 'ADMIN_TOKEN and ADMIN_TOKEN_NEXT are equal: ADMIN_TOKEN_NEXT must be another token, or absent.'
/** A deployment must correct the configuration first. */
const retryAfterSeconds = 60

/** Logs and throws an error if both tokens are equal: one of them would end no session of the other. */
export function requireDistinctTokens(env: Tokens & Pick<Bindings, 'REQUEST_ID'>): void {
  const [next, current] = getOperatorTokens(env)
  if (next === undefined || next !== current) return
  log(env, 'misconfigured', { error: issue })
  throw new ApiError('misconfigured', issue, [], { 'retry-after': String(retryAfterSeconds) })
}
