import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const base = { title: 'Milk', instructions: '' }
const options = (length: number, preSelected = 0) =>
  Array.from({ length }, (_, index) => ({ label: `${index}`, preSelected: index < preSelected }))

type Rules = Record<string, unknown>
/** A body of a modifier, and its issues. No issues: it is valid. */
const cases: [string, { type?: string; rules?: Rules; options?: object[] }, string[]][] = [
  ['CHECKBOX without rules takes any number', { options: options(3, 3) }, []],
  ['CHECKBOX is the type where none is given', { rules: { allowedMultiple: true }, options: options(3, 3) }, []],
  ['a restriction of 0 means any number', { rules: { selectRestriction: 0 }, options: options(3, 3) }, []],
  ['a restriction counts', { rules: { selectRestriction: 2 }, options: options(3, 2) }, []],
  ['one more than the restriction', { rules: { selectRestriction: 2 }, options: options(3, 3) }, ['/options conflict']],
  ['a restriction of as many as there are', { rules: { selectRestriction: 3 }, options: options(3, 3) }, []],
  [
    'a restriction of one more',
    { rules: { selectRestriction: 4 }, options: options(3) },
    ['/rules/selectRestriction conflict'],
  ],
  ['a restriction without options yet', { rules: { selectRestriction: 4 } }, []],
  ['a restriction and an empty list', { rules: { selectRestriction: 4 }, options: [] }, []],
  [
    'a restriction of one more, where options have quantities',
    { rules: { selectRestriction: 4, enableOptionQuantity: true }, options: options(3) },
    [],
  ],
  [
    'quantities that are switched off',
    { rules: { selectRestriction: 4, enableOptionQuantity: false }, options: options(3) },
    ['/rules/selectRestriction conflict'],
  ],
  ['RADIO takes one', { type: 'RADIO', options: options(3, 1) }, []],
  ['RADIO takes none', { type: 'RADIO', options: options(3) }, []],
  ['RADIO with two chosen', { type: 'RADIO', options: options(3, 2) }, ['/options conflict']],
  ['RADIO that says it is single', { type: 'RADIO', rules: { allowedMultiple: false, selectRestriction: 1 } }, []],
  ['RADIO with a restriction of 0', { type: 'RADIO', rules: { selectRestriction: 0 }, options: options(2, 1) }, []],
  ['RADIO for several', { type: 'RADIO', rules: { allowedMultiple: true } }, ['/rules/allowedMultiple conflict']],
  [
    'RADIO restricted to two',
    { type: 'RADIO', rules: { selectRestriction: 2 } },
    ['/rules/selectRestriction conflict'],
  ],
  [
    'RADIO restricted to two, with quantities',
    { type: 'RADIO', rules: { selectRestriction: 2, enableOptionQuantity: true }, options: options(3) },
    ['/rules/selectRestriction conflict'],
  ],
  [
    'RADIO with everything wrong',
    { type: 'RADIO', rules: { allowedMultiple: true, selectRestriction: 2 }, options: options(3, 2) },
    ['/options conflict', '/rules/allowedMultiple conflict', '/rules/selectRestriction conflict'],
  ],
  ['a single choice takes one', { rules: { allowedMultiple: false }, options: options(3, 1) }, []],
  [
    'a single choice with two chosen',
    { rules: { allowedMultiple: false }, options: options(3, 2) },
    ['/options conflict'],
  ],
  [
    'a single choice with two chosen, whatever the restriction',
    { rules: { allowedMultiple: false, selectRestriction: 3 }, options: options(3, 2) },
    ['/options conflict'],
  ],
  [
    'several, restricted',
    { rules: { allowedMultiple: true, selectRestriction: 1 }, options: options(3, 2) },
    ['/options conflict'],
  ],
]

describe.each(cases)('%s', (_, parts, issues) => {
  test('is checked on create', async () => {
    const response = await venue.post('/modifiers', { ...base, ...parts })
    if (issues.length > 0) return expect(toIssues(response)).toEqual(issues)
    expect(response).toMatchObject({ status: 201, body: { type: 'CHECKBOX', rules: {}, options: [], ...parts } })
  })

  test('is checked on update, whichever field comes last', async () => {
    const fields: Record<string, unknown> = { type: 'CHECKBOX', rules: {}, options: [], ...parts }
    const bare = { type: 'CHECKBOX', rules: null, options: null }
    for (const last of Object.keys(fields)) {
      const { [last]: change, ...others } = fields
      const before = await venue.post('/modifiers', { ...base, ...bare, ...others })
      // The other fields already contradict each other.
      if (before.status !== 201) continue
      const path = `/modifiers/${before.body.id}`
      const response = await venue.post(path, { [last]: change })
      if (issues.length === 0) expect(response).toMatchObject({ status: 200, body: fields })
      else expect(toIssues(response)).toEqual(issues)
      if (issues.length > 0) expect((await venue.get(path)).body).toEqual(before.body)
    }
  })
})

test('merged rules are judged as a whole', async () => {
  const { body } = await venue.post('/modifiers', { ...base, rules: { selectRestriction: 2 }, options: options(2, 2) })
  const path = `/modifiers/${body.id}`
  expect(toIssues(await venue.post(path, { options: options(1) }))).toEqual(['/rules/selectRestriction conflict'])
  expect(toIssues(await venue.post(path, { rules: { selectRestriction: 1 } }))).toEqual(['/options conflict'])
  expect(toIssues(await venue.post(path, { type: 'RADIO' }))).toEqual([
    '/options conflict',
    '/rules/selectRestriction conflict',
  ])
  const fitting = await venue.post(path, { type: 'RADIO', rules: { selectRestriction: null }, options: options(2, 1) })
  expect(fitting).toMatchObject({ status: 200, body: { type: 'RADIO', rules: {} } })
  expect(toIssues(await venue.post(path, { rules: { allowedMultiple: true } }))).toEqual([
    '/rules/allowedMultiple conflict',
  ])
  expect((await venue.post(path, { type: null, rules: { allowedMultiple: true } })).body).toMatchObject({
    type: 'CHECKBOX',
    rules: { allowedMultiple: true },
  })
})

describe('the id of an option', () => {
  test.each(['a', 'A-z_0-9', '0', '_', '-', 'x'.repeat(64)])('%s is kept as it was given', async (id) => {
    const created = await venue.post('/modifiers', { ...base, options: [{ id }] })
    expect(created).toMatchObject({ status: 201, body: { options: [{ id }] } })
  })

  test.each<[unknown, string]>([
    ['', 'too_short'],
    ['x'.repeat(65), 'too_long'],
    ['a b', 'invalid_format'],
    [' a', 'invalid_format'],
    ['a\n', 'invalid_format'],
    ['ä', 'invalid_format'],
    ['a.b', 'invalid_format'],
    ['a/b', 'invalid_format'],
    ['\0', 'invalid_character'],
    [5, 'invalid_type'],
  ])('%j is refused', async (id, code) => {
    const response = await venue.post('/modifiers', { ...base, options: [{}, { id }] })
    expect(toIssues(response)).toEqual([`/options/1/id ${code}`])
  })

  test('is generated where it is not given, and then is as good as a given one', async () => {
    const { body } = await venue.post('/modifiers', {
      ...base,
      options: [{ label: 'a' }, { id: null }, { id: 'mine' }],
    })
    const ids = body.options.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([expect.stringMatching(/^opt_\w{26}$/), expect.stringMatching(/^opt_\w{26}$/), 'mine'])
    expect(ids[0] < ids[1]).toBe(true)
    const again = await venue.post(`/modifiers/${body.id}`, { options: body.options.toReversed() })
    expect(again.body.options).toEqual(body.options.toReversed())
  })

  test('is unique in its modifier, and only there', async () => {
    const twice = { ...base, options: [{ id: 'a' }, { id: 'A' }, { id: 'a' }, {}, {}] }
    expect(toIssues(await venue.post('/modifiers', twice))).toEqual(['/options/2/id duplicate'])
    for (let n = 0; n < 2; n++) {
      expect((await venue.post('/modifiers', { ...base, options: [{ id: 'a' }, { id: 'A' }] })).status).toBe(201)
    }
  })
})
