import { getChoiceLimits } from '../modifiers.ts'

type Modifier = Parameters<typeof getChoiceLimits>[0]

/** Minimum and maximum that details state. */
interface StatedLimits {
  min?: number | undefined
  max?: number | undefined
}

/** How many options guests choose of a modifier at a product. */
export interface ChoiceRule {
  min: number
  max: number
  /** Whether an order without any option lacks the modifier. */
  isRequired: boolean
  /** Whether details decide the minimum. */
  isMinStated: boolean
}

/**
 * The rule for a modifier: `modifierRules` of the product win over `min` and `max` of the modifier's details, and these over its `rules`.
 * A stated member replaces only that member. If minimum and maximum exclude each other, the one that wins moves the other. RADIO allows one.
 */
export function getChoiceRule(modifier: Modifier, ofModifier: StatedLimits = {}, ofUse: StatedLimits = {}): ChoiceRule {
  let { min, max } = getChoiceLimits(modifier)
  for (const stated of [ofModifier, ofUse]) {
    min = stated.min ?? min
    max = stated.max ?? max
    if (min <= max) continue
    if (stated.max === undefined) max = min
    else min = max
  }
  if (modifier.type === 'RADIO') max = Math.min(max, 1)
  min = Math.min(min, max)
  const isMinStated = (ofUse.min ?? ofModifier.min) !== undefined
  return { min, max, isRequired: min > 0 && (isMinStated || modifier.rules?.required === true), isMinStated }
}
