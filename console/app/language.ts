import { computed, signal } from '@preact/signals'
import { en, type Texts } from '../texts/en.ts'

/** Languages of the console by their BCP 47 tag. English is part of the first download. */
const languages: Readonly<Record<string, { name: string; load: () => Promise<Texts> }>> = {
  en: { name: 'English', load: async () => en },
  de: { name: 'Deutsch', load: async () => (await import('../texts/de.ts')).de },
}
export const languageNames = Object.entries(languages).map(([tag, { name }]) => ({ tag, name }))

const storageName = 'console.language'
/** Tag of the current language. */
export const language = signal('en')
/** Tag for dates and numbers: the browser's own variety of the language, such as `en-GB`. */
export const locale = computed(
  () => navigator.languages.find((tag) => tag.split('-')[0] === language.value) ?? language.value,
)
const texts = signal<Texts>(en)
/** The texts of the current language. A component that reads them is rendered again after a change. */
export const t = () => texts.value

export async function setLanguage(tag: string): Promise<void> {
  const chosen = languages[tag]
  if (!chosen) return
  texts.value = await chosen.load()
  language.value = tag
  document.documentElement.lang = tag
}

/** Keeps a person's choice in this browser. */
export async function chooseLanguage(tag: string): Promise<void> {
  localStorage.setItem(storageName, tag)
  await setLanguage(tag)
}

/** The language that the person chose, or else the first of the browser's that exists. */
export function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(storageName), ...navigator.languages].map((tag) => tag?.split('-')[0] ?? '')
  return setLanguage(wanted.find((tag) => Object.hasOwn(languages, tag)) ?? 'en')
}
