import { resourcePaths } from 'merchant-ordering-client'
import { type Command, type Context, dataOption, requireFirstWord, requireWord, textOf } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseFields, readBody } from '../fields.ts'
import { limitOption, printList } from '../list.ts'
import { readTime } from '../read-time.ts'

/** The operations that every resource of the client has. */
interface Operations {
  create(fields: object, options?: object): Promise<object>
  retrieve(id: string, options?: { at?: number | undefined }): Promise<object>
  versions(id: string): AsyncIterable<object>
  update(id: string, fields: object, options?: object): Promise<object>
  delete(id: string): Promise<object>
  list(filter?: object): AsyncIterable<object>
  deleted(filter?: object): AsyncIterable<object>
  restore(id: string): Promise<object>
}

const fieldsHelp = `A field is name=value. true, false, null, lists and objects are read as JSON; anything else is text, which
the service reads as a number where one is expected. name:=JSON takes any JSON, name=@FILE the text of a file.`

/** Columns in the table of a resource. */
const tableColumns: Readonly<Partial<Record<string, readonly string[]>>> = {
  products: ['id', 'title', 'price', 'sku', 'stockQuantity', 'visible'],
  modifiers: ['id', 'title', 'type', 'instructions'],
  menus: ['id', 'title', 'begin', 'end', 'visible', 'description'],
  coupons: ['id', 'code', 'type', 'value', 'timesRedeemed', 'active', 'title'],
  customers: ['id', 'firstName', 'lastName', 'email', 'phone'],
  tags: ['id', 'metadata', 'url', 'nfc', 'testMode'],
  webhooks: ['id', 'title', 'url', 'active', 'events'],
}

/** The example of a resource's fields. */
const exampleFields: Readonly<Partial<Record<string, string>>> = {
  products: "title='Lemon tart' price=4.50",
  modifiers: "title=Milk instructions='Choose one'",
  menus: 'title=Lunch',
  coupons: "title='Ten off' code=TEN type=PERCENTAGE value=10",
  customers: 'firstName=Ada lastName=Lovelace',
  tags: 'metadata=\'[{"key":"table","value":"12"}]\'',
  webhooks: 'title=Till url=https://pos.example.com/hook events=\'["order.created"]\'',
}

const createRestoreCommands = (
  path: (typeof resourcePaths)[number],
  open: (context: Context) => Promise<Operations>,
): Command[] => [
  {
    name: `${path} deleted`,
    usage: '[q=text]',
    summary: `Lists ${path} that were deleted in the last 30 days`,
    options: limitOption,
    examples: [`${path} deleted --limit 10`],
    async run(context) {
      const { deleted } = await open(context)
      await printList(context, deleted, { columns: ['id', 'title', 'deletedAt', 'by'] })
    },
  },
  {
    name: `${path} restore`,
    usage: '<id>',
    summary: `Restores one of the deleted ${path}`,
    examples: [`${path} restore ID`],
    run: async (context) => context.output.object(await (await open(context)).restore(requireWord(context, 'an id'))),
  },
]

function createCommands(path: (typeof resourcePaths)[number]): Command[] {
  const open = async (context: Context): Promise<Operations> => (await context.connect())[path]
  const example = exampleFields[path] ?? ''
  return [
    {
      name: `${path} list`,
      usage: '[filter=value…]',
      summary: `Lists ${path}`,
      details: 'Filters are those of the API, for example q=tart. Without --limit all objects are read, page by page.',
      options: limitOption,
      examples: [`${path} list --limit 10`, `${path} list q=new order=desc --json`],
      async run(context) {
        const { list } = await open(context)
        await printList(context, list, { columns: tableColumns[path] })
      },
    },
    {
      name: `${path} get`,
      usage: '<id>',
      summary: `Shows one of the ${path}`,
      options: { at: { value: 'TIME', description: 'Shows it as it was at this time of the last 30 days' } },
      examples: [`${path} get ID`, `${path} get ID --at 2026-10-02T20:14:00+02:00`],
      async run(context) {
        const time = textOf(context, 'at')
        const at = time === undefined ? {} : { at: readTime(time) }
        context.output.object(await (await open(context)).retrieve(requireWord(context, 'an id'), at))
      },
    },
    {
      name: `${path} versions`,
      usage: '<id>',
      summary: `Lists the versions of one of the ${path} of the last 30 days, newest first`,
      options: limitOption,
      examples: [`${path} versions ID --json`],
      async run(context) {
        const id = requireWord(context, 'an id')
        const { versions } = await open(context)
        const columns = ['at', 'part', 'change', 'version', 'by', 'changed']
        await printList(context, () => versions(id), { columns, words: [] })
      },
    },
    {
      name: `${path} create`,
      usage: '[field=value…]',
      summary: `Creates one of the ${path}`,
      details: fieldsHelp,
      options: {
        ...dataOption,
        'idempotency-key': { value: 'KEY', description: 'Repeated commands with this key create one object' },
      },
      examples: [`${path} create ${example}`, `${path} create --data @body.json`],
      async run(context) {
        const body = await readBody(textOf(context, 'data'), context.words)
        if (Object.keys(body).length === 0 && path !== 'tags') throw new UsageError('Missing fields.')
        const idempotencyKey = textOf(context, 'idempotency-key')
        context.output.object(await (await open(context)).create(body, { idempotencyKey }))
      },
    },
    {
      name: `${path} update`,
      usage: '<id> [field=value…]',
      summary: `Updates the given fields of one of the ${path}`,
      details: `null clears a field. ${fieldsHelp}`,
      options: { ...dataOption, 'if-match': { value: 'ETAG', description: 'Fails if the object has changed since' } },
      examples: [`${path} update ID ${example.split(' ').at(-1)}`],
      async run(context) {
        const { word: id, rest } = requireFirstWord(context, 'an id')
        const body = await readBody(textOf(context, 'data'), rest)
        if (Object.keys(body).length === 0) throw new UsageError('Missing fields.')
        context.output.object(await (await open(context)).update(id, body, { ifMatch: textOf(context, 'if-match') }))
      },
    },
    {
      name: `${path} delete`,
      usage: '<id>',
      summary: `Deletes one of the ${path}`,
      examples: [`${path} delete ID`],
      async run(context) {
        const deleted = await (await open(context)).delete(requireWord(context, 'an id'))
        if (context.output.isJson) context.output.object(deleted)
        else context.output.print(`Deleted ${context.words[0]}.`)
      },
    },
    // Webhooks cannot be restored.
    ...(path === 'webhooks' ? [] : createRestoreCommands(path, open)),
  ]
}

/** The same commands for each resource of the client's registry. */
export const resourceCommands: readonly Command[] = resourcePaths.flatMap(createCommands)

const keyColumns = ['id', 'title', 'mode', 'prefix', 'last4', 'lastUsedAt', 'expiresAt']

const failureColumns = ['method', 'path', 'status', 'code', 'pointers', 'count', 'lastAt']

export const keyCommands: readonly Command[] = [
  {
    name: 'keys list',
    summary: 'Lists the keys of the merchant',
    examples: ['keys list'],
    usage: '[filter=value…]',
    options: limitOption,
    async run(context) {
      const { keys } = await context.connect()
      await printList(context, (filter) => keys.list(filter), { columns: keyColumns })
    },
  },
  {
    name: 'keys create',
    usage: 'mode=test [field=value…]',
    summary: 'Creates a key. It is shown once',
    options: dataOption,
    examples: ['keys create mode=test scopes=\'["products:read"]\''],
    async run(context) {
      const { mode, ...fields } = await readBody(textOf(context, 'data'), context.words)
      if (mode !== 'live' && mode !== 'test') throw new UsageError('mode must be live or test.')
      context.output.object(await (await context.connect()).keys.create({ mode, ...fields }))
    },
  },
  {
    name: 'keys failures',
    usage: '[key=ID] [status=4xx]',
    summary: 'Lists failed requests of a key: by default those of the key of the profile',
    examples: ['keys failures status=422', 'keys failures key=ID'],
    async run({ words, connect, output }) {
      const query = await parseFields(words)
      await output.list(await (await connect()).failedRequests(query), failureColumns)
    },
  },
  {
    name: 'keys revoke',
    usage: '<id>',
    summary: 'Revokes a key',
    examples: ['keys revoke ID'],
    run: async (context) =>
      context.output.object(await (await context.connect()).keys.revoke(requireWord(context, 'an id'))),
  },
  {
    name: 'keys roll',
    usage: '<id> [field=value…]',
    summary: 'Creates the successor of a key. The old one expires after the overlap',
    examples: ['keys roll ID', 'keys roll ID overlap=3600'],
    async run(context) {
      const { word: id, rest } = requireFirstWord(context, 'an id')
      context.output.object(await (await context.connect()).keys.roll(id, await parseFields(rest)))
    },
  },
]
