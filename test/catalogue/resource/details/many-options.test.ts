import { expect, test } from 'vitest'
import { maxDetailBytes } from '../../../../src/catalogue/resource/details/details-definition.ts'
import { additiveCodes, allergenCodes } from '../../../../src/catalogue/resources/details/food-codes.ts'
import { createVenue, toIssues } from '../../../support/api.ts'

const languages = 'ar bg cs da de el en es et fi fr ga hr hu it ja ko lt lv mt nb nl pl pt ro sk sl sv tr uk'.split(' ')

test.each([
  [20, true],
  [110, false],
])(
  '250 options in 30 languages with labels of %i letters and contents fit, or the field that grew is told',
  async (letters, fits) => {
    const venue = await createVenue()
    const { body: modifier } = await venue.post('/modifiers', {
      ...{ title: 'Milk', instructions: '' },
      options: Array.from({ length: 250 }, (_, index) => ({ label: `Milk ${index}` })),
    })
    const ids: string[] = modifier.options.map(({ id }: { id: string }) => id)
    const forEach = (value: object) => Object.fromEntries(ids.map((id) => [id, value]))
    const set = (body: object) => venue.post(`/modifiers/${modifier.id}/details`, body)
    const contents = {
      allergens: [
        { code: 'gluten', level: 'contains', names: ['oats'] },
        { code: 'nuts', level: 'may_contain' },
      ],
      diets: ['vegan', 'vegetarian'],
      additives: ['caffeine'],
    }
    const issues = new Set<string>()
    let bytes = 0
    for (const body of [
      { options: forEach({ ...contents, max: 3 }) },
      ...languages.map((language) => ({
        translations: { [language]: { options: forEach({ label: 'ä'.repeat(letters) }) } },
      })),
    ]) {
      const response = await set(body)
      if (response.status === 200) bytes = new TextEncoder().encode(JSON.stringify(response.body)).length
      else for (const issue of toIssues(response)) issues.add(issue)
    }
    expect([[...issues], bytes <= maxDetailBytes]).toEqual([fits ? [] : ['/translations too_long'], true])
    const { body } = await venue.get(`/modifiers/${modifier.id}/details`)
    expect([Object.keys(body.options).length, Object.keys(body.translations).length < 30]).toEqual([250, !fits])
    if (fits) return
    // The field that fills the rest has the issue.
    const all = {
      allergens: allergenCodes.map((code) => ({ code, level: 'may_contain' })),
      additives: additiveCodes.slice(9, 17),
    }
    expect(toIssues(await set({ options: forEach(all) }))).toEqual(['/options too_long'])
  },
)
