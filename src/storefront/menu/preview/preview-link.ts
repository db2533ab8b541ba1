import { checkLink, signLink } from '../../../platform/auth/signed-link.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Bindings } from '../../../platform/env.ts'

/** Lifetime of the address of a preview, in seconds. */
export const previewSeconds = 600
const purpose = 'preview'

/** The mode, the time and the menu that a preview shows. */
interface Preview {
  testMode: boolean
  /** Absent: the time of the request. */
  at: number | undefined
  /** Id of the only menu that is shown. Absent: all. */
  menu: string | undefined
  /** Id of the stored operations after which the menu is shown. Absent: as it is stored. */
  draft?: string | undefined
}

/** A preview that a request shows. */
export interface RequestedPreview extends Preview {
  /** The parameter that names it, and its value. `at`: the catalogue as it was, for the holder of a key. */
  parameter: 'preview' | 'release' | 'at'
  value: string
  /** The data that is shown, if it is not that of the merchant as it is stored. */
  database?: Database | undefined
}

const form = /^(live|test)\.(\d{0,12})\.((?:menu_[0-9a-z]{26})?)\.((?:draft_[0-9a-z]{26})?)\.(\d{10})\.([\w-]{1,64})$/

const toContent = (merchantId: string, state: string) => `${merchantId}.${state}`

/** The value of the parameter `preview` that shows this preview, and when it expires. */
export async function createPreview(env: Bindings, merchantId: string, { testMode, at, menu, draft }: Preview) {
  const state = `${testMode ? 'test' : 'live'}.${at ?? ''}.${menu ?? ''}.${draft ?? ''}`
  const { expiresAt, seal } = await signLink(env, purpose, toContent(merchantId, state), previewSeconds)
  return { value: `${state}.${expiresAt}.${seal}`, expiresAt }
}

/** The preview that a parameter names; undefined if it is not signed for this merchant, or has expired. */
export async function readPreview(env: Bindings, merchantId: string, value: string): Promise<Preview | undefined> {
  const [, mode = '', at = '', menu = '', draft = '', expires = '', seal = ''] = form.exec(value) ?? []
  if (mode === '') return undefined
  const content = toContent(merchantId, `${mode}.${at}.${menu}.${draft}`)
  if ((await checkLink(env, purpose, { content, expires, seal })) !== 'valid') return undefined
  return {
    testMode: mode === 'test',
    at: at === '' ? undefined : Number(at),
    menu: menu === '' ? undefined : menu,
    draft: draft === '' ? undefined : draft,
  }
}

/** The text in the band of a preview. That of a past catalogue has its time. */
export function describePreview(text: string, { parameter, at }: RequestedPreview, timeZone: string, language: string) {
  if (parameter !== 'at' || at === undefined) return text
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone })
  return `${text} · ${format.format(at * 1000)}`
}
