import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'
import { interceptD1 } from '../../support/moves.ts'
import { createQueue, retrieve } from './import-queue.ts'

interface Section {
  id: string
  title: string
}

const readDetails = async (venue: Pick<Venue, 'get'>, collection: string) =>
  (await venue.get(`/${collection}?include=details`)).body

describe('translations in details', () => {
  test.each<[string, (sections: Section[]) => object[], string[][]]>([
    [
      'adds a section',
      (sections) => [{ title: 'New', items: [] }, ...sections],
      [['New'], ['Hot', 'Chaud'], ['Cold', 'Froid']],
    ],
    [
      'swaps the titles',
      ([hot, cold]) => [
        { ...hot, title: 'Cold' },
        { ...cold, title: 'Hot' },
      ],
      [
        ['Cold', 'Chaud'],
        ['Hot', 'Froid'],
      ],
    ],
    [
      'changes the title',
      ([hot, cold]) => [{ ...hot, title: 'Warm' }, { ...cold }],
      [
        ['Warm', 'Chaud'],
        ['Cold', 'Froid'],
      ],
    ],
  ])('are those of the sections of an exported menu, of which somebody %s', async (_, edit, expected) => {
    const venue = await createVenue()
    const { body: menu } = await venue.post('/menus', { title: 'All', sections: [{ title: 'Hot' }, { title: 'Cold' }] })
    const [hot, cold] = menu.sections.map(({ id }: Section) => id)
    const sections = { [hot]: { title: 'Chaud' }, [cold]: { title: 'Froid' } }
    await venue.post(`/menus/${menu.id}/details`, { translations: { fr: { sections } } })
    const lines = String((await venue.get('/export?resources=menus')).body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const edited = lines.map(({ object, ...line }) => ({
      ...line,
      ...(object && { object: { ...object, sections: edit(object.sections) } }),
    }))
    const other = await createVenue()
    for (const { get, post, key, path } of [venue, other]) {
      const done = await importFile({ get, post, key, path }, '', toJsonLines(edited), jsonl)
      expect(done).toMatchObject({ state: 'done', failed: 0 })
      const [{ sections: parts, details }] = await readDetails({ get }, 'menus')
      const texts = details.translations.fr.sections
      expect(parts.map(({ id, title }: Section) => [title, ...(texts[id] ? [texts[id].title] : [])])).toEqual(expected)
    }
  })

  const size = {
    ...{ resource: 'modifiers', externalId: 'SIZE', title: 'Size', instructions: '' },
    options: [
      { id: 's', label: 'Small' },
      { id: 'l', label: 'Large' },
    ],
    details: { translations: { de: { options: { s: { label: 'Klein' }, l: { label: 'Groß' } } } } },
  }

  test('are those of the options that they name, beside options without an id', async () => {
    const venue = await createVenue()
    await importFile(venue, '', toJsonLines([{ ...size, options: [{ label: 'Tiny' }, ...size.options] }]), jsonl)
    const [{ options, details }] = await readDetails(venue, 'modifiers')
    expect(options.map(({ label }: { label: string }) => label)).toEqual(['Tiny', 'Small', 'Large'])
    expect(details).toEqual(size.details)
  })

  test('are those of the parts that they name, which are sorted again before details are written', async () => {
    const venue = await createVenue({ home: 'd1' })
    const sort = async (collection: string, field: string) => {
      const [object] = (await venue.get(`/${collection}`)).body
      const parts = object[field].toReversed()
      expect((await venue.post(`/${collection}/${object.id}`, { [field]: parts })).status).toBe(200)
    }
    let isSorted = false
    const DB = interceptD1(/^update "imports" set.*"details_state" = \?/s, async () => {
      if (isSorted) return
      isSorted = true
      await sort('modifiers', 'options')
      await sort('menus', 'sections')
    })
    const menu = {
      resource: 'menus',
      object: {
        id: 'menu_1',
        title: 'All',
        sections: [
          { id: 'sec_1', title: 'Hot', items: [] },
          { id: 'sec_2', title: 'Cold', items: [] },
        ],
      },
      details: { translations: { fr: { sections: { sec_1: { title: 'Chaud' }, sec_2: { title: 'Froid' } } } } },
    }
    const queue = createQueue({ DB })
    const id = await queue.upload(venue, '', toJsonLines([size, menu]), jsonl)
    await queue.drain()
    await queue.apply(venue, id)
    await queue.drain()
    expect(isSorted).toBe(true)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'done', failed: 0 })
    const [{ options, details }] = await readDetails(venue, 'modifiers')
    expect(options.map((option: { id: string }) => option.id)).toEqual(['l', 's'])
    expect(details).toEqual(size.details)
    const [stored] = await readDetails(venue, 'menus')
    const texts = stored.details.translations.fr.sections
    expect(stored.sections.map((section: Section) => [section.title, texts[section.id].title])).toEqual([
      ['Cold', 'Froid'],
      ['Hot', 'Chaud'],
    ])
  })
})
