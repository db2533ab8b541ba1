import * as z from 'zod/mini'
import { checkLink, type SignedLink, signLink } from '../auth/signed-link.ts'
import { lazy } from '../db/database.ts'
import type { Scope } from '../db/scope.ts'
import type { Bindings } from '../env.ts'
import { type LayoutName, layoutNames, type PaperFormat } from './layouts.ts'
import type { TagSelection } from './select-tags.ts'

/** Purpose in the signature of links to sheets. */
const purpose = 'sheet-link'

/** What a link shows. The signature covers all of it. */
export interface LinkedSheet {
  /** Scope of the key that created the link. */
  scope: Scope
  selection: TagSelection
  text?: string | undefined
  format: PaperFormat
  layout: LayoutName
  /** Positions on the first page that stay empty. Default: 0. */
  skip?: number | undefined
}

/** The content of a link as JSON. `seqs` are row numbers in base 36, each as its distance from the one before. */
const getSchema = lazy(() =>
  z.object({
    merchantId: z.string(),
    scopeTestMode: z.boolean(),
    seqs: z.optional(z.string()),
    area: z.optional(z.string()),
    nfc: z.optional(z.boolean()),
    testMode: z.optional(z.boolean()),
    q: z.optional(z.string()),
    text: z.optional(z.string()),
    format: z.enum(['a4', 'letter']),
    layout: z.enum(layoutNames),
    skip: z.optional(z.int()),
  }),
)

const encodeSeqs = (seqs: readonly number[]) =>
  seqs.map((seq, index) => (seq - (seqs[index - 1] ?? 0)).toString(36)).join('.')

function decodeSeqs(text: string): number[] {
  let seq = 0
  return text === '' ? [] : text.split('.').map((distance) => (seq += Number.parseInt(distance, 36)))
}

const encodeText = (text: string) =>
  new TextEncoder().encode(text).toBase64({ alphabet: 'base64url', omitPadding: true })
const decodeText = (text: string) => new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: 'base64url' }))

/** Creates the path and the query of a link, and its time of expiry. */
export async function createSheetLink(env: Bindings, { scope, selection, ...look }: LinkedSheet) {
  const { seqs, area, nfc, testMode, q } = selection
  const content = encodeText(
    JSON.stringify({
      merchantId: scope.merchantId,
      scopeTestMode: scope.testMode,
      ...{ seqs: seqs && encodeSeqs(seqs), area, nfc, testMode, q },
      ...look,
    } satisfies z.output<ReturnType<typeof getSchema>>),
  )
  const { expiresAt, seal } = await signLink(env, purpose, content)
  return { path: `/sheet/${expiresAt}/${seal}`, search: `?s=${content}`, expiresAt }
}

/** Reads a link. Its content is ours if the signature is valid. */
export async function readSheetLink(env: Bindings, link: SignedLink): Promise<LinkedSheet | 'expired' | 'invalid'> {
  const state = await checkLink(env, purpose, link)
  if (state !== 'valid') return state
  const { merchantId, scopeTestMode, text, format, layout, skip, seqs, ...conditions } = getSchema().parse(
    JSON.parse(decodeText(link.content)),
  )
  return {
    scope: { merchantId, testMode: scopeTestMode },
    selection: { ...conditions, seqs: seqs === undefined ? undefined : decodeSeqs(seqs) },
    ...{ text, format, layout, skip },
  }
}
