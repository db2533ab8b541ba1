import { describe, expect, test } from 'vitest'
import { describeRule } from '../../../../src/storefront/menu/page/choices.ts'
import { createPhrases } from '../../../../src/storefront/pages/phrases.ts'
import { createVenue, send } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'

const english = createPhrases('en', 'en')

describe('the rule of a modifier in words', () => {
  test.each([
    ['RADIO', { required: true }, 'choose 1'],
    ['RADIO', { requireSelectRestriction: true }, 'choose 1'],
    ['RADIO', {}, 'optional'],
    ['CHECKBOX', {}, 'optional'],
    ['CHECKBOX', { selectRestriction: 0 }, 'optional'],
    ['CHECKBOX', { requireSelectRestriction: true }, 'optional'],
    ['CHECKBOX', { required: true }, 'choose at least 1'],
    ['CHECKBOX', { selectRestriction: 3 }, 'up to 3, optional'],
    ['CHECKBOX', { allowedMultiple: false }, 'up to 1, optional'],
    ['CHECKBOX', { selectRestriction: 3, required: true }, 'choose 1 to 3'],
    ['CHECKBOX', { selectRestriction: 1, required: true }, 'choose 1'],
    ['CHECKBOX', { allowedMultiple: false, required: true }, 'choose 1'],
    ['CHECKBOX', { selectRestriction: 2, requireSelectRestriction: true }, 'choose exactly 2'],
    ['CHECKBOX', { allowedMultiple: false, selectRestriction: 2, requireSelectRestriction: true }, 'choose 1'],
    ['CHECKBOX', { selectRestriction: 2, requireSelectRestriction: true, required: true }, 'choose exactly 2'],
  ] as const)('%s, %o: %s', (type, rules, text) => {
    expect(describeRule({ type, rules }, english)).toBe(text)
  })
})

test('the page shows rules, and each option with its price, its energy and whether it is preselected', async () => {
  const venue = await createVenue({ currency: 'EUR', timezone: 'Europe/Lisbon' })
  await load(venue.post, {
    modifiers: [
      {
        title: 'Milk',
        instructions: 'Which milk?',
        type: 'RADIO',
        rules: { required: true },
        options: [
          { label: 'Whole', preSelected: true },
          { label: 'Oat', additionalCost: 0.4, additionalCalories: 12 },
        ],
      },
      { title: 'Note' },
    ],
    products: [
      { title: 'Galão', price: 2.4, modifiers: [0, 1] },
      { title: 'Latte', price: 3, modifiers: [0] },
    ],
    menus: [{ title: 'All day', sections: [{ title: 'Coffee', items: [0, 1] }] }],
  })
  const { body } = await send(`/m/${venue.id}`)
  const [first = '', second = ''] = Array.from(body.matchAll(/<dl>(.*?)<\/dl>/g), ([, list]) => list)
  expect(first).toBe(
    [
      '<dt id="c1"><bdi>Milk</bdi> <small>choose 1</small></dt>',
      '<dd><small><bdi>Which milk?</bdi></small></dd>',
      '<dd><bdi>Whole</bdi> <small>✓ preselected</small></dd>',
      '<dd><bdi>Oat</bdi> <small>+12\u00a0kcal</small><b>+0,40\u00a0€</b></dd>',
      '<dt id="c2"><bdi>Note</bdi></dt><dd aria-hidden="true">–</dd>',
    ].join(''),
  )
  expect(second).toBe('<dt><a href="#c1"><bdi>Milk</bdi></a> <small>choose 1</small></dt><dd aria-hidden="true">↑</dd>')
  expect((await send(`/m/${venue.id}?lang=de`)).body).toContain('<small>1 auswählen</small>')
})
