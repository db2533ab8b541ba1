import * as z from 'zod/mini'

/** Texts about allergens and diets, in one language. Braces mark placeholders. */
export const createFoodSchema = () =>
  z.object({
    /** Names in the order of `allergenCodes`. */
    allergens: z.array(z.string()),
    /** Names in the order of `diets`. */
    diets: z.array(z.string()),
    contains: z.string(),
    mayContain: z.string(),
    none: z.string(),
    notStated: z.string(),
    /** Title of the filters. */
    title: z.string(),
    without: z.string(),
    /** Link that removes the filters. */
    all: z.string(),
    /** Title of the allergen sheet. */
    sheet: z.string(),
    age: z.string(),
    /** Replaces the products of a menu if the filters leave none. */
    noMatch: z.string(),
    /** Warns that the options of a product can add allergens. */
    choices: z.string(),
    /** Says what to choose, and what to leave out, so that a dish suits. */
    ask: z.string(),
    leave: z.string(),
    /** Number of dishes that the filters leave. */
    matches: z.string(),
    /** The lowest of several prices. */
    from: z.string(),
    /** Title of the options on the allergen sheet. */
    choicesTitle: z.string(),
    /** Date of the allergen sheet. */
    asOf: z.string(),
    /** Names of `cereals`, then of `treeNuts`, in their order. */
    names: z.array(z.string()),
    /** Names in the order of `additiveCodes`. */
    additives: z.array(z.string()),
  })
export type FoodMessages = z.output<ReturnType<typeof createFoodSchema>>
