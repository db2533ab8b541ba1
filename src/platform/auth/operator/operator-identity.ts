import type { operatorRoles } from '../../db/schema/directory/operators.ts'

export type OperatorRole = (typeof operatorRoles)[number]
/** Who sends a request of the operator: a person, a platform key, or `operator` for the holder of the token. */
export interface OperatorIdentity {
  /** `opr_…`, `key_…` or `operator`. */
  id: string
  name?: string
  /** `key`: a platform key, whose rights are its scopes. */
  role: OperatorRole | 'key'
  scopes?: readonly string[]
  sessionId?: string
}
