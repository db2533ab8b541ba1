import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import { CliError } from '../cli-error.ts'
import type { Demo } from './demo.ts'

const texts = z.record(z.string(), z.unknown())
const byTitleShape = z.record(z.string(), z.looseObject({ translations: z.record(z.string(), texts).optional() }))
/** Details of the demo venue by the titles of objects. Translations name sections by their titles. */
const fileShape = z.object({
  products: byTitleShape,
  modifiers: byTitleShape,
  menus: byTitleShape,
  /** Ids of options that are sold out, by the titles of their modifiers. */
  soldOut: z.record(z.string(), z.array(z.string())),
})
const listShape = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    sections: z.array(z.object({ id: z.string(), title: z.string().optional() })).optional(),
  }),
)

/** Names the sections of a translation by their ids. */
function nameSections(
  translation: z.output<typeof texts>,
  sections: readonly { id: string; title?: string | undefined }[],
) {
  const named = texts.safeParse(translation['sections']).data
  if (!named) return translation
  const byId = sections.flatMap(({ id, title = '' }) => (title in named ? [[id, named[title]]] : []))
  return { ...translation, sections: Object.fromEntries(byId) }
}

/**
 * Sends the details of the demo venue that its catalogue file does not have, allergens, diets, translations and days, and marks options as sold out.
 * Sending them again has no effect.
 */
export async function loadDemoDetails({ url, merchantId, liveKey }: Demo): Promise<void> {
  const file = resolve(import.meta.dirname, 'demo-details.json')
  const { soldOut, ...details } = fileShape.parse(JSON.parse(await readFile(file, 'utf8')))
  async function call(path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}/merchants/${merchantId}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    throw new CliError(
      `The details of the demo venue could not be loaded. The service returned ${response.status}: ${text}`,
      1,
    )
  }
  for (const [resource, byTitle] of Object.entries(details)) {
    const objects = listShape.parse(await call(`${resource}?limit=100`))
    await Promise.all(
      objects.map(async ({ id, title, sections = [] }) => {
        const { translations = {}, ...rest } = byTitle[title] ?? {}
        const named = Object.entries(translations).map(([language, each]) => [language, nameSections(each, sections)])
        const body = { ...rest, ...(named.length > 0 && { translations: Object.fromEntries(named) }) }
        if (Object.keys(body).length > 0) await call(`${resource}/${id}/details`, body)
        const marked = resource === 'modifiers' ? (soldOut[title] ?? []) : []
        const options = Object.fromEntries(marked.map((option) => [option, { soldOut: true }]))
        if (marked.length > 0) await call(`modifiers/${id}/availability`, { options })
      }),
    )
  }
}
