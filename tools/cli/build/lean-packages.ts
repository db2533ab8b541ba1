import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** Files of packages of which the Worker needs no part, and what stands in their place. */
const replacements: readonly (readonly [file: RegExp, contents: string])[] = [
  // No session, logger, cache and relational queries: the service builds statements and runs them by itself.
  [
    /\/drizzle-orm\/sqlite-proxy\/driver\.js$/,
    `
    import { SQLiteAsyncDialect } from '../sqlite-core/dialect.js'
    import { SQLiteDeleteBase, SQLiteInsertBuilder, SQLiteSelectBuilder, SQLiteUpdateBuilder } from '../sqlite-core/query-builders/index.js'
    export function drizzle(_run, _batch, config) {
      const dialect = new SQLiteAsyncDialect(config)
      const select = (fields, distinct) => new SQLiteSelectBuilder({ fields, dialect, distinct })
      return {
        select: (fields) => select(fields),
        selectDistinct: (fields) => select(fields, true),
        insert: (table) => new SQLiteInsertBuilder(table, undefined, dialect),
        update: (table) => new SQLiteUpdateBuilder(table, undefined, dialect),
        delete: (table) => new SQLiteDeleteBase(table, undefined, dialect),
      }
    }`,
  ],
  [/\/drizzle-orm\/sqlite-proxy\/session\.js$/, ''],
  // Only relational queries call them.
  [
    /\/drizzle-orm\/relations\.js$/,
    'export const [getOperators, getOrderByOperators, Many, mapRelationalRow, normalizeRelation, One] = []',
  ],
  // Builders of columns for tables that are declared by a function: the service declares none so, and imports the builders that it uses.
  [/\/drizzle-orm\/sqlite-core\/columns\/all\.js$/, 'export const getSQLiteColumnBuilders = () => ({})'],
  // Only `app.mount` calls it, which the service does not use.
  [/\/hono\/dist\/utils\/mount\.js$/, 'export const [createMountedRequest] = []'],
  [/\/drizzle-orm\/pg-core\/columns\/enum\.js$/, 'export const isPgEnum = () => false'],
]

/** Changes of files: what is found becomes what stands behind it. A build fails if a file lacks it. */
const changes: readonly (readonly [file: RegExp, found: RegExp, replacement: string])[] = [
  // The last method of the dialect, for relational queries.
  [
    /\/drizzle-orm\/sqlite-core\/dialect\.js$/,
    /\n {2}buildRelationalQuery\(\{[\s\S]*?(\n\}\nclass SQLiteSyncDialect )/,
    '$1',
  ],
  // A namespace inside a namespace would keep all of its functions in the module.
  [/\/zod\/v4\/mini\/schemas\.js$/, /\bcore\.util\./g, 'util.'],
]

/**
 * Leaves out parts of packages that would otherwise start with every isolate. A package must have the changed parts: a build fails otherwise, and so
 * it does if the Worker imports something that was left out. Of the journal of migrations, the Worker needs the names.
 */
export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup(build) {
    for (const [filter, contents] of replacements) build.onLoad({ filter }, () => ({ contents, loader: 'js' }))
    for (const [filter, found, replacement] of changes) {
      build.onLoad({ filter }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const contents = source.replace(found, replacement)
        if (contents !== source) return { contents, loader: 'js' }
        return { errors: [{ text: `${path} does not contain ${found}. See tools/cli/build/lean-packages.ts.` }] }
      })
    }
    build.onLoad({ filter: /\/migrations\/meta\/_journal\.json$/ }, async ({ path }) => {
      const { entries }: { entries: { tag: string }[] } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ entries: entries.map(({ tag }) => ({ tag })) }), loader: 'json' }
    })
  },
}
