import type { Bindings } from '../../platform/env.ts'
import { ApiError } from '../../platform/errors.ts'
import { log } from '../../platform/lib/log.ts'
import type { PageLanguage } from './messages.ts'
import { createStaffSchema, type StaffMessages } from './staff/staff-text-shape.ts'

/** Name of the static asset with the messages in a language. */
export const toStaffFile = (language: PageLanguage) => `staff-${language}.json`

const cached = new Map<PageLanguage, StaffMessages>()

/** Reads the messages for staff from the static assets, once per isolate and language. They do not count towards the bundle's size. */
export async function readStaffMessages(
  env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>,
  language: PageLanguage,
): Promise<StaffMessages> {
  const known = cached.get(language)
  if (known) return known
  try {
    const response = await env.ASSETS.fetch(`https://assets.local/${toStaffFile(language)}`)
    const messages = createStaffSchema().parse(await response.json())
    cached.set(language, messages)
    return messages
  } catch (error) {
    log(env, 'messages not read', { language, error: String(error) })
    throw new ApiError('unavailable', 'The texts of this page cannot be read just now. Try again.', [], {
      'retry-after': '1',
    })
  }
}
