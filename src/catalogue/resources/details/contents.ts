import * as z from 'zod/mini'
import * as field from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { additiveCodes, allergenCodes, cereals, diets, namesOfAllergens, treeNuts } from './food-codes.ts'

const { limits } = field
const allergenLevels = ['contains', 'may_contain'] as const
const allergenNames = [...cereals, ...treeNuts]

const allergen = z
  .strictObject({
    code: z.enum(allergenCodes).check(z.describe('Allergen of Regulation (EU) 1169/2011, Annex II.')),
    level: z
      .enum(allergenLevels)
      .check(z.describe('`contains`: an ingredient. `may_contain`: traces cannot be excluded.')),
    names: z
      .nullish(field.set(z.enum(allergenNames), treeNuts.length))
      .check(
        z.describe(
          `Which cereals or nuts. \`gluten\`: ${cereals.join(', ')}. \`nuts\`: ${treeNuts.join(', ')}. Not allowed for other allergens.`,
        ),
      ),
  })
  .check(({ value: { code, names }, issues }) => {
    const known = namesOfAllergens[code]
    if (!names || names.every((name) => known?.includes(name))) return
    const message = known ? `must only have names of ${code}` : `must not have names: ${code} has none`
    issues.push({ code: 'custom', params: { code: 'conflict' }, message, input: names, path: ['names'] })
  })

/** Fields of what a dish or an option contains. `what` names the object in descriptions. */
export const createContents = (what: string) => ({
  allergens: z
    .nullish(
      field.uniqueList(allergen, allergenCodes.length, (entry) =>
        isObject(entry) && typeof entry['code'] === 'string' ? entry['code'] : undefined,
      ),
    )
    .check(z.describe(`Allergens of the ${what}. Absent: not stated. Empty: stated as containing no allergens.`)),
  diets: z
    .nullish(field.set(z.enum(diets), diets.length))
    .check(
      z.describe(
        `Diets that the ${what} suits. Absent: not stated. A contained allergen contradicts some diets (\`contradicts\`): milk, eggs, fish, crustaceans and molluscs \`vegan\`; the last three \`vegetarian\`; crustaceans and molluscs \`kosher\`; gluten without names \`gluten_free\`. Alcohol over 0.5 % contradicts \`halal\`.`,
      ),
    ),
  additives: z
    .nullish(field.set(z.enum(additiveCodes), additiveCodes.length))
    .check(
      z.describe(
        `Additives and processes of the ${what} that menus declare in footnotes. Where allergens are stated, \`milk_protein\` requires contained milk, \`surimi\` and \`reconstituted_fish\` contained fish, \`sulphured\` contained sulphites (\`contradicts\`).`,
      ),
    ),
  alcoholByVolume: z.nullish(field.alcohol).check(z.describe('Alcohol by volume, in percent.')),
  ageLimit: z.nullish(field.age).check(z.describe(`Minimum age of customers, in years, up to ${limits.age}.`)),
})

const number = z.optional(z.number())

/** Contents in details, as stored and shown. */
export const contentsView = {
  allergens: z.optional(
    z.array(
      z.object({
        code: z.enum(allergenCodes),
        level: z.enum(allergenLevels),
        names: z.optional(z.array(z.enum(allergenNames))),
      }),
    ),
  ),
  diets: z.optional(z.array(z.enum(diets))),
  additives: z.optional(z.array(z.enum(additiveCodes))),
  alcoholByVolume: number,
  ageLimit: number,
}

const contents = z.object(contentsView)
/** Contents of a dish or an option. */
export type FoodContents = z.output<typeof contents>

/** The contents in a body or in stored details; no member that is invalid itself. */
export function toContents(details: unknown): FoodContents {
  if (!isObject(details)) return {}
  const all = contents.safeParse(details)
  if (all.success) return all.data
  const sound = Object.entries(contents.shape).flatMap(([name, schema]) =>
    schema.safeParse(details[name]).success ? [[name, details[name]]] : [],
  )
  return contents.parse(Object.fromEntries(sound))
}
