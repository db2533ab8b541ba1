import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { createFoodSchema, type FoodMessages } from './food/food-text-shape.ts'
import type { PageLanguage } from './messages.ts'

/** Name of the static asset with the texts in a language. */
export const toFoodFile = (language: PageLanguage) => `food-${language}.json`

const cached = new Map<PageLanguage, FoodMessages>()

/**
 * Reads the texts about food from the static assets, once per isolate and language. Undefined if they cannot be read: callers then show the codes,
 * because allergens must never be missing.
 */
export async function readFoodMessages(
  env: Pick<Bindings, 'ASSETS' | 'REQUEST_ID'>,
  language: PageLanguage,
): Promise<FoodMessages | undefined> {
  const known = cached.get(language)
  if (known) return known
  try {
    const response = await env.ASSETS.fetch(`https://assets.local/${toFoodFile(language)}`)
    const messages = createFoodSchema().parse(await response.json())
    cached.set(language, messages)
    return messages
  } catch (error) {
    log(env, 'messages not read', { language, error: String(error) })
    return undefined
  }
}
