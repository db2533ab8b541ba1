import { html } from 'hono/html'
import { getChoiceRule } from '../../../catalogue/resources/details/choice-rules.ts'
import type { Html } from '../../pages/page.ts'
import { fill } from '../../pages/phrases.ts'
import { isFiltering, isPreSelected } from '../food.ts'
import type { PublicModifier, PublicProduct } from '../public-menu.ts'
import type { RenderOptions } from './render-options.ts'

type Option = PublicModifier['options'][number]
type Rule = NonNullable<PublicProduct['modifierRules']>[number]
type ById<Item> = ReadonlyMap<string, Item>

const suits = ({ suits, soldOut }: { suits?: Option['suits']; soldOut?: boolean | undefined }) =>
  suits === true && soldOut !== true

const join = (texts: readonly Html[], separator: string) =>
  html`${texts.map((text, index) => (index === 0 ? text : html`${separator}${text}`))}`

/** Something that can be chosen, with what must then be asked for of its own choices. */
interface Choice {
  isSuitable: boolean
  name: Html
  asked: readonly Html[]
}

/** The suitable ones of several choices: `Oat / Latte (Soy)`; empty if there is nothing to ask for. */
function nameSuitable(choices: readonly Choice[]): Html[] {
  if (choices.every(({ isSuitable, asked }) => isSuitable && asked.length === 0)) return []
  const named = choices.flatMap(({ isSuitable, name, asked }) => {
    if (!isSuitable) return []
    return asked.length === 0 ? [name] : [html`${name} (${join(asked, ', ')})`]
  })
  return [join(named, ' / ')]
}

/**
 * Renders what a guest who filters has to ask for: the choices that suit where something must be chosen and not everything suits, and what to
 * leave out where something else is preselected. Empty without a filter, and if every choice suits.
 */
export function renderAsked(
  product: PublicProduct,
  modifiers: ById<PublicModifier>,
  parts: ById<PublicProduct>,
  { food, phrases, show }: RenderOptions,
): Html | '' {
  if (!food || !isFiltering(food.filter)) return ''
  /** Names of options that are preselected and do not suit, where nothing must be chosen. */
  const left = new Map<Option, Html>()
  const find = (ids: readonly string[] = []) => ids.flatMap((id) => modifiers.get(id) ?? [])

  /** An option, marked itself or as a size. Modifiers of its modifiers are ignored: nesting has one level. */
  function toChoice(option: Option, mark: Parameters<typeof suits>[0], nests = true): Choice {
    const nested = nests && suits(mark) ? find(option.modifiers) : []
    const asked = nested.flatMap((each) => askModifier(each, undefined, (inner) => toChoice(inner, inner, false)))
    return { isSuitable: suits(mark), name: show(option, 'label'), asked }
  }
  function askModifier(modifier: PublicModifier, rule: Rule | undefined, toOption: (option: Option) => Choice): Html[] {
    const { options } = modifier
    const choices = options.map(toOption)
    if (getChoiceRule(modifier, modifier, rule).min > 0) return nameSuitable(choices)
    for (const each of options) if (each.preSelected && !isPreSelected(each)) left.set(each, show(each, 'label'))
    return []
  }
  /** Names of the choices to ask for of a product, or of one of its sizes. */
  function askProduct({ sizes = [], modifiers: ids, modifierRules, bundle }: PublicProduct, only?: string): Html[] {
    const ofModifiers = find(ids).flatMap((modifier) => {
      const { id, options } = modifier
      const rule = modifierRules?.find((each) => each.modifier === id)
      if (id !== sizes[0]?.modifier) return askModifier(modifier, rule, (option) => toChoice(option, option))
      const shown = sizes.filter(({ option }) => only === undefined || option === only)
      return nameSuitable(
        shown.flatMap((size) => options.flatMap((each) => (each.id === size.option ? [toChoice(each, size)] : []))),
      )
    })
    const ofGroups = (bundle?.groups ?? []).flatMap(({ min, items }) => {
      const choices = items.map((item): Choice => {
        const [part, isSuitable] = [parts.get(item.product), suits(item)]
        return {
          isSuitable,
          name: show(part ?? {}, 'title'),
          asked: part && isSuitable ? askProduct(part, item.size) : [],
        }
      })
      return min > 0 ? nameSuitable(choices) : []
    })
    return [...ofModifiers, ...ofGroups]
  }
  const asked = askProduct(product)
  const lines = [
    ...(asked.length > 0 ? [fill<unknown>(food.messages.ask, { list: join(asked, ', ') })] : []),
    ...(left.size > 0 ? [fill<unknown>(food.messages.leave, { list: join([...left.values()], ', ') })] : []),
  ]
  return lines.length === 0
    ? ''
    : html`<p class="food ask">${phrases.say(
        join(
          lines.map((line) => html`${line}`),
          ' · ',
        ),
      )}</p>`
}
