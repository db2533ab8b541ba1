import * as z from 'zod/mini'
import { checkLink, type SignedLink, signLink } from '../../platform/auth/signed-link.ts'
import { lazy } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/scope.ts'
import type { Bindings } from '../../platform/env.ts'
import { type LayoutName, layoutNames, type PaperFormat } from './layouts.ts'
import type { TagSelection } from './select-tags.ts'

/** Purpose in the signature of links to sheets. Each kind of content has its own purpose, so that a link is never misread. */
const purpose = 'sheet-link-2'

/** Content of a link. The signature covers all of it. */
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

/**
 * The content of a link as JSON. `idEnd` is the number of characters of each end of an id. The ends follow the JSON. Unlike row numbers, they stay
 * the same in every home of the merchant and after a restore, and reveal nothing about other merchants.
 */
const getSchema = lazy(() =>
  z.object({
    merchantId: z.string(),
    scopeTestMode: z.boolean(),
    idEnd: z.optional(z.int()),
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

/** Maximum total length of the ends of all ids, so that browsers and proxies accept the address. */
const maxEnds = 7_000
/** Number of random characters at the end of an id: 60 bits. The time comes before them. */
const maxEnd = 12

/** The ends of ids. 1,000 of them have 7 characters, or 35 random bits, each. */
export function toIdEnds(ids: readonly string[]): string[] {
  const length = Math.min(maxEnd, Math.floor(maxEnds / ids.length))
  return ids.map((id) => id.slice(-length))
}

const splitEnds = (text: string, length: number) =>
  length === 0 ? [] : (text.match(new RegExp(`.{${length}}`, 'g')) ?? [])

const encodeText = (text: string) =>
  new TextEncoder().encode(text).toBase64({ alphabet: 'base64url', omitPadding: true })
const decodeText = (text: string) => new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: 'base64url' }))

/** Creates the path and the query of a link, and its time of expiry. */
export async function createSheetLink(env: Bindings, { scope, selection, ...look }: LinkedSheet) {
  const { idEnds, area, nfc, testMode, q } = selection
  const json = encodeText(
    JSON.stringify({
      merchantId: scope.merchantId,
      scopeTestMode: scope.testMode,
      ...{ idEnd: idEnds && (idEnds[0]?.length ?? 0), area, nfc, testMode, q },
      ...look,
    } satisfies z.output<ReturnType<typeof getSchema>>),
  )
  const content = [json, ...(idEnds?.length ? [idEnds.join('')] : [])].join('.')
  const { expiresAt, seal } = await signLink(env, purpose, content)
  return { path: `/sheet/${expiresAt}/${seal}`, search: `?s=${content}`, expiresAt }
}

/** Reads a link. A valid signature proves that the service created its content. */
export async function readSheetLink(env: Bindings, link: SignedLink): Promise<LinkedSheet | 'expired' | 'invalid'> {
  const state = await checkLink(env, purpose, link)
  if (state !== 'valid') return state
  const [json = '', ends = ''] = link.content.split('.')
  const { merchantId, scopeTestMode, text, format, layout, skip, idEnd, ...conditions } = getSchema().parse(
    JSON.parse(decodeText(json)),
  )
  return {
    scope: { merchantId, testMode: scopeTestMode },
    selection: { ...conditions, idEnds: idEnd === undefined ? undefined : splitEnds(ends, idEnd) },
    ...{ text, format, layout, skip },
  }
}
