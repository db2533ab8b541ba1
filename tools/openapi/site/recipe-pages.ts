import { html } from 'hono/html'
import type { Guide } from './page-frame.ts'

/** Names of the languages, by the folder of their recipes. */
const languages: Readonly<Record<string, string>> = {
  python: 'Python',
  php: 'PHP',
  ruby: 'Ruby',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
}

/** The words of a recipe's file name: `verify webhook` of `VerifyWebhook.java`. */
const toWords = (file: string) =>
  file
    .replace(/\.\w+$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** The name of a recipe's page: `recipe-java-verify-webhook` of `java/VerifyWebhook.java`. */
export function toRecipeName(path: string): string {
  const [language = '', file = ''] = path.split('/')
  return `recipe-${language} ${toWords(file)}`.replaceAll(' ', '-')
}

/** The recipes as pages, by the names of the pages. Each links to the same recipe in other languages. */
export async function renderRecipes(sources: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Guide>> {
  const recipes = Object.entries(sources).map(([path, source]) => {
    const [folder = '', file = ''] = path.split('/')
    return { name: toRecipeName(path), language: languages[folder] ?? folder, words: toWords(file), source }
  })
  const pages = recipes.map(async ({ name, language, words, source }) => {
    const others = recipes
      .filter((other) => other.words === words && other.name !== name)
      .map((other) => html`<a href="/docs/guides/${other.name}">${other.language}</a> · `)
    const content = await html`<p>${others}<a href="/docs/guides/recipes">All recipes</a></p>
<pre tabindex="0"><code>${source}</code></pre>`
    const title = `${words.slice(0, 1).toUpperCase()}${words.slice(1)} in ${language}`
    return [name, { title, content: content.toString() }] as const
  })
  return new Map(await Promise.all(pages))
}
