import * as z from 'zod/mini'
import { parseJson } from '../../platform/db/query.ts'

/** Schemes of Standard Webhooks: `v1` is HMAC-SHA-256, `v1a` is Ed25519. */
export const signatureSchemes = ['v1', 'v1a'] as const
type SignatureScheme = (typeof signatureSchemes)[number]

const stored = z.object({ signatures: z.optional(z.array(z.enum(signatureSchemes))) })

/** The schemes that sign deliveries of a webhook, from its stored filter. Only `v1` without a filter, or with a damaged one. */
export const readSignatureSchemes = (filter: string | null): readonly SignatureScheme[] =>
  (filter === null ? undefined : stored.safeParse(parseJson(filter)).data?.signatures) ?? ['v1']
