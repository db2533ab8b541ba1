import { html } from 'hono/html'
import { getMessages } from './languages/messages-by-language.ts'
import type { Messages } from './languages/messages-shape.ts'
import { type PageLanguage, toPageLanguage } from './messages.ts'
import type { Html } from './page.ts'

/** Fills in a text: each `{name}` is replaced by the value of that name. */
export const fill = <Value>(template: string, values: Readonly<Record<string, Value>>): (string | Value)[] =>
  template.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')))

/** Texts of the service in one language, on a page whose content may be in another. */
export interface Phrases {
  language: PageLanguage
  messages: Messages
  /** Marks a text of the service with its language if it differs from that of the surrounding content. */
  say: (text: unknown) => Html
  /** Whether the content is in another language, or in an unknown one. */
  isForeign: boolean
  /** Fills in a text with numbers, formatted for the language. */
  count: (template: string, numbers: Readonly<Record<string, number>>) => string
  /** The sentence that says which menus are served next. */
  next: (titles: readonly string[], time: string) => Html
}

/** Creates the texts of a page in a language. */
export function createPhrases(language: PageLanguage, contentLanguage: string): Phrases {
  const messages = getMessages(language)
  const isForeign = contentLanguage === 'und' || toPageLanguage(contentLanguage) !== language
  const numbers = new Intl.NumberFormat(language)
  return {
    language,
    messages,
    isForeign,
    say: (text) => (isForeign ? html`<bdi lang="${language}">${text}</bdi>` : html`${text}`),
    count: (template, values) =>
      fill(
        template,
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, numbers.format(value)])),
      ).join(''),
    next(titles, time) {
      const { next, fullStop } = messages
      const menus = new Intl.ListFormat(language)
        .formatToParts(titles)
        .map(({ type, value }) =>
          type === 'element' ? html`<bdi${isForeign ? html` lang="${contentLanguage}"` : ''}>${value}</bdi>` : value,
        )
      const sentence = next[new Intl.PluralRules(language).select(titles.length)] ?? next.other
      // If a time ends with a full stop ("7:00 a.m."), this full stop also ends the sentence.
      const end = sentence.endsWith('{time}') && time.endsWith('.') ? '' : fullStop
      return html`${fill<unknown>(`${sentence}${end}`, { menus, time })}`
    },
  }
}
