import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { staffMessagesByLanguage } from '../../../src/storefront/pages/staff/languages.ts'
import { readStaffMessages, toStaffFile } from '../../../src/storefront/pages/staff-messages.ts'
import { send } from '../../support/api.ts'

const { en: english } = staffMessagesByLanguage
const listPlaceholders = (text: string) => text.match(/\{\w+\}/g) ?? []

describe.each(pageLanguages)('the texts for staff in %s', (language) => {
  test('are read from the static assets', async () => {
    expect(await readStaffMessages(env, language)).toEqual(staffMessagesByLanguage[language])
  })

  test('are complete, and have the placeholders of the English ones', () => {
    const texts = Object.entries(staffMessagesByLanguage[language])
    expect(texts.map(([name]) => name)).toEqual(Object.keys(english))
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([])
    expect(texts.map(([, text]) => listPlaceholders(text))).toEqual(Object.values(english).map(listPlaceholders))
    // A text that was not translated.
    if (language !== 'en') expect(texts.filter(([, text]) => Object.values(english).includes(text))).toEqual([])
  })
})

test('the files themselves are not public', async () => {
  expect((await send(`/${toStaffFile('en')}`)).status).toBe(404)
})
