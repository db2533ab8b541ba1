import { computed, signal } from '@preact/signals'
import { readTexts } from '../texts/data.ts'
import deFile from '../texts/de.ts?data'
import type { ScreenTexts, StartTexts, Texts } from '../texts/en.ts'
import enFile from '../texts/en.ts?data'

interface Language {
  name: string
  /** Address of the texts of the screens. */
  file: string
}

/** Languages of the console by their BCP 47 tag. */
const languages: ReadonlyMap<string, Language> = new Map([
  ['en', { name: 'English', file: enFile }],
  ['de', { name: 'Deutsch', file: deFile }],
])
export const languageNames = [...languages].map(([tag, { name }]) => ({ tag, name }))

const storageName = 'console.language'
/** Tag of the current language. */
export const language = signal('en')
/** Tag for dates and numbers: the browser's own variety of the language, such as `en-GB`. */
export const locale = computed(
  () => navigator.languages.find((tag) => tag.split('-')[0] === language.value) ?? language.value,
)
const loaded = signal<ReadonlyMap<string, ScreenTexts>>(new Map())

/** Texts of the sign-in by language. The build writes them into the page. */
const firstTexts = readTexts<Readonly<Record<string, StartTexts>> & { en: StartTexts }>(
  document.querySelector<HTMLMetaElement>('meta[name=texts]')?.content ?? '',
)
/** The texts of the first download. A component that reads them is rendered again after a change. */
export const startTexts = (): StartTexts => firstTexts[language.value] ?? firstTexts.en

const texts = computed((): Texts | undefined => {
  const ofScreens = loaded.value.get(language.value)
  return ofScreens && { ...startTexts(), ...ofScreens }
})
/** All texts of the current language, for parts that are shown after `loadTexts`. */
export function t(): Texts {
  if (!texts.value) throw new Error('The texts are not loaded.')
  return texts.value
}

const pending = new Map<string, Promise<void>>()
/** Loads the texts of the screens. */
export function loadTexts(tag = language.value): Promise<void> {
  const { file } = languages.get(tag) ?? {}
  if (file === undefined || loaded.value.has(tag)) return Promise.resolve()
  const request = pending.get(tag) ?? readFile(tag, file).finally(() => pending.delete(tag))
  pending.set(tag, request)
  return request
}

async function readFile(tag: string, file: string) {
  const response = await fetch(file)
  if (!response.ok) throw new Error(`${file} returned ${response.status}`)
  const found = readTexts<ScreenTexts>(await response.text())
  loaded.value = new Map(loaded.value).set(tag, found)
}

function setLanguage(tag: string) {
  language.value = tag
  document.documentElement.lang = tag
}

/** Keeps a person's choice in this browser. While screens are shown, load their texts first. */
export function keepLanguage(tag: string): void {
  localStorage.setItem(storageName, tag)
  setLanguage(tag)
}

/** Sets the language that the person chose, otherwise the browser's first supported language. */
export function startLanguage(): void {
  const wanted = [localStorage.getItem(storageName), ...navigator.languages].map((tag) => tag?.split('-')[0] ?? '')
  setLanguage(wanted.find((tag) => languages.has(tag)) ?? 'en')
}
