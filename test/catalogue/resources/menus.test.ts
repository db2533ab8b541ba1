import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const create = async (body: object) => (await venue.post('/menus', { title: 'Lunch', ...body })).body

describe('the window of a menu', () => {
  const window = (begin: unknown, end: unknown) => ({ begin, end })

  test.each([
    ['0000', '2359'],
    ['0000', '2400'],
    ['0930', '0931'],
    ['2359', '2400'],
    ['2200', '0200'],
    ['2359', '0000'],
    ['1200', '1159'],
  ])('may be %s to %s', async (begin, end) => {
    const body = await create({ begin, end })
    expect(body).toMatchObject({ begin, end, allDayMenu: false })
    const { id } = await create({})
    expect((await venue.post(`/menus/${id}`, { begin, end })).body).toMatchObject({ begin, end, allDayMenu: false })
  })

  test.each<[unknown, unknown, string[]]>([
    ['0900', '0900', ['/end conflict']],
    ['0000', '0000', ['/end conflict']],
    ['2400', '0900', ['/begin invalid_format']],
    ['0900', '2401', ['/end invalid_format']],
    ['0960', '1000', ['/begin invalid_format']],
    ['2500', '9999', ['/begin invalid_format', '/end invalid_format']],
    ['900', '1000', ['/begin invalid_format']],
    ['09:00', '10:00', ['/begin invalid_format', '/end invalid_format']],
    [' 0900', '1000\n', ['/begin invalid_format', '/end invalid_format']],
    ['００００', '', ['/begin invalid_format', '/end invalid_format']],
    [900, 1000, ['/begin invalid_type', '/end invalid_type']],
    ['0900', undefined, ['/end required']],
    ['0900', null, ['/end required']],
    [undefined, '0900', ['/begin required']],
    ['9', undefined, ['/begin invalid_format']],
  ])('may not be %j to %j', async (begin, end, issues) => {
    expect(toIssues(await venue.post('/menus', { title: 'Lunch', ...window(begin, end) }))).toEqual(issues)
    const { id } = await create({})
    expect(toIssues(await venue.post(`/menus/${id}`, window(begin, end)))).toEqual(issues)
  })

  test('is needed by a menu that is not for all day', async () => {
    const both = ['/begin required', '/end required']
    for (const allDayMenu of [false, 0]) {
      expect(toIssues(await venue.post('/menus', { title: 'Lunch', allDayMenu }))).toEqual(both)
      const { id } = await create({})
      expect(toIssues(await venue.post(`/menus/${id}`, { allDayMenu }))).toEqual(both)
    }
  })

  test.each([
    [{ allDayMenu: true }, true],
    [{ allDayMenu: 1 }, true],
    [{ allDayMenu: false }, false],
    [{ allDayMenu: null }, false],
    [{}, false],
  ])('leaves %j as %s', async (flag, expected) => {
    const body = { begin: '0900', end: '1000', ...flag }
    expect(await create(body)).toMatchObject({ begin: '0900', end: '1000', allDayMenu: expected })
    const { id } = await create({})
    expect((await venue.post(`/menus/${id}`, body)).body.allDayMenu).toBe(expected)
  })

  test('moves without touching the flag while an update gives only one end of it', async () => {
    const { id } = await create({ begin: '0900', end: '1000', allDayMenu: true })
    expect((await venue.post(`/menus/${id}`, { end: '1100' })).body).toMatchObject({ end: '1100', allDayMenu: true })
    expect((await venue.post(`/menus/${id}`, { begin: '1000' })).body).toMatchObject({
      begin: '1000',
      allDayMenu: true,
    })
    expect(toIssues(await venue.post(`/menus/${id}`, { begin: '1100' }))).toEqual(['/end conflict'])
    expect((await venue.post(`/menus/${id}`, { title: 'Dinner' })).body.allDayMenu).toBe(true)
    // Sent again, even unchanged, both times make it a menu with these times.
    expect((await venue.post(`/menus/${id}`, { begin: '1000', end: '1100' })).body.allDayMenu).toBe(false)
    expect((await venue.post(`/menus/${id}`, { allDayMenu: true })).body).toMatchObject({
      begin: '1000',
      allDayMenu: true,
    })
  })

  test('is taken away as a whole, and from an all-day menu only', async () => {
    const { id } = await create({ begin: '0900', end: '1000' })
    expect(toIssues(await venue.post(`/menus/${id}`, { begin: null }))).toEqual(['/begin required'])
    expect(toIssues(await venue.post(`/menus/${id}`, { end: null }))).toEqual(['/end required'])
    expect(toIssues(await venue.post(`/menus/${id}`, { begin: null, end: null }))).toEqual([
      '/begin required',
      '/end required',
    ])
    expect((await venue.post(`/menus/${id}`, { allDayMenu: null })).body.allDayMenu).toBe(false)
    const cleared = await venue.post(`/menus/${id}`, { begin: null, end: null, allDayMenu: true })
    expect(cleared).toMatchObject({ status: 200, body: { allDayMenu: true } })
    for (const field of ['begin', 'end']) expect(cleared.body).not.toHaveProperty(field)
    const timed = await create({ begin: '0900', end: '1000' })
    const reset = await venue.post(`/menus/${timed.id}`, { begin: null, end: null, allDayMenu: null })
    expect(reset).toMatchObject({ status: 200, body: { allDayMenu: true } })
  })
})

describe('hideCategoryNavigation', () => {
  const shows = 'showSectionNavigation'
  const hides = 'hideCategoryNavigation'

  test.each<[object, boolean]>([
    [{}, true],
    [{ [hides]: true }, false],
    [{ [hides]: 1 }, false],
    [{ [hides]: false }, true],
    [{ [hides]: 0 }, true],
    [{ [hides]: null }, true],
    [{ [shows]: false }, false],
    [{ [hides]: true, [shows]: false }, false],
    [{ [hides]: 0, [shows]: 1 }, true],
    [{ [hides]: true, [shows]: null }, false],
    [{ [hides]: null, [shows]: false }, false],
  ])('is the inverse of showSectionNavigation: %j shows %s', async (body, expected) => {
    const created = await create(body)
    expect(created[shows]).toBe(expected)
    expect(created).not.toHaveProperty(hides)
    for (const before of [true, false]) {
      if (Object.keys(body).length === 0) continue
      const { id } = await create({ [shows]: before })
      const updated = await venue.post(`/menus/${id}`, body)
      expect(updated.body[shows]).toBe(expected)
      expect(updated.body).not.toHaveProperty(hides)
    }
  })

  test('may not contradict it', async () => {
    const { id } = await create({})
    for (const value of [true, false]) {
      for (const body of [
        { [hides]: value, [shows]: value },
        { [hides]: Number(value), [shows]: value },
      ]) {
        expect(toIssues(await venue.post('/menus', { title: 'Lunch', ...body }))).toEqual([`/${hides} conflict`])
        expect(toIssues(await venue.post(`/menus/${id}`, body))).toEqual([`/${hides} conflict`])
      }
    }
    expect((await venue.post(`/menus/${id}`, { [hides]: true })).body[shows]).toBe(false)
  })
})

describe('a section', () => {
  test('has the defaults of a section, and no more', async () => {
    const { sections } = await create({
      sections: [{}, { title: null, description: null, type: null, items: null, id: null }],
    })
    const bare = { id: expect.stringMatching(/^sec_\w{26}$/), type: 'LIST', items: [] }
    expect(sections).toStrictEqual([bare, bare])
    expect(sections[0].id < sections[1].id).toBe(true)
  })

  test('has no id of its own choosing on create', async () => {
    const issues: [unknown, string][] = [
      ['sec_1', 'read_only_field'],
      ['', 'too_short'],
      [5, 'invalid_type'],
    ]
    for (const [id, code] of issues) {
      const response = await venue.post('/menus', { title: 'Lunch', sections: [{}, { id }] })
      expect(toIssues(response)).toEqual([`/sections/1/id ${code}`])
    }
  })
})
