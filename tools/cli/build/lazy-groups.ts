import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import { projectFolder } from '../project-folder.ts'

/**
 * Groups of code that an isolate loads when a request first needs it, by the folders of their files. A file is in the first group that names a folder
 * of it. Each further module costs every start of an isolate about 0.2 ms, even if nothing loads it.
 */
const groupFolders: Readonly<Record<string, readonly string[]>> = {
  // Small files that a request can need before all others.
  small: [
    ...['db/migrations', 'auth/allowed-addresses', 'http/documentation'].map((name) => `platform/${name}.ts`),
    ...['serve-picture', 'read-picture', 'picture-name', 'picture-widths'].map((name) => `storefront/media/${name}.ts`),
    ...['admin/account/console-routes.ts', 'storefront/pages/messages.ts'],
  ],
  base: [
    'platform',
    ...['enqueue-import', 'import-limits', 'overdue-imports'].map((name) => `bulk/import/${name}.ts`),
    'bulk/import/statements/maintenance-statements.ts',
    'checkout/redemptions/redemption-view.ts',
    ...['effects/effects', 'stock/stock', 'redemptions/redemption'].map((name) => `checkout/${name}-request.ts`),
    ...['call-limits', 'old-calls'].map((name) => `storefront/tags/calls/${name}.ts`),
    ...['event-retention.ts', 'payload.ts', 'rows/stored-event.ts'].map((name) => `webhooks/${name}`),
  ],
  details: ['catalogue', 'bulk/pruning.ts'],
  pages: ['storefront/pages', 'storefront/tags/code-routes.ts'],
  pictures: ['storefront/media', 'storefront/qr'],
  menu: ['storefront/menu', 'storefront/tags/calls', 'storefront/print/allergens/allergen-routes.ts'],
  print: ['storefront/print', 'storefront/tags/nfc'],
  tags: ['storefront/tags'],
  checkout: ['checkout'],
  tables: [
    'bulk/csv',
    'bulk/export',
    'bulk/files/templates',
    'bulk/import/routes/template-routes.ts',
    ...[
      'items/file-item',
      'table/coupons/coupon-words',
      'table/heading-words',
      'table/targets',
      'text/code-pages',
      'text/encoding',
    ].map((name) => `bulk/files/${name}.ts`),
    'bulk/files/values',
    ...['decode-headings', 'reading-view', 'stored-reading', 'preview-view'].map(
      (name) => `bulk/import/auto/${name}.ts`,
    ),
  ],
  files: [
    'bulk/files',
    'bulk/import/auto',
    ...['mapped', 'mapping'].map((name) => `bulk/import/routes/${name}-routes.ts`),
  ],
  batch: [
    'bulk/batch',
    'bulk/release',
    ...['fields', 'places'].map((name) => `bulk/changes/undo/plan/undo-${name}.ts`),
  ],
  bulk: ['bulk'],
  events: ['webhooks/event-routes.ts', 'webhooks/events'],
  webhooks: ['webhooks'],
  tenancy: ['tenancy', 'admin/delete-closed.ts'],
  account: ['admin', 'app/account-app.ts', 'app/operator-app.ts'],
  migrations: ['app/home/migration-texts.ts'],
  maintenance: ['app'],
}

/** The group of a file of the service that does not start with an isolate. Undefined for a text, and for a file outside of `src`, such as a package. */
export function findLazyGroup(file: string): string | undefined {
  if (!file.startsWith('src/') || !file.endsWith('.ts')) return undefined
  const folders = Object.entries(groupFolders)
  const group = folders.find(([, names]) => names.some((name) => `${file}/`.startsWith(`src/${name}/`)))
  if (group === undefined) throw new Error(`${file} is in no group of lazily loaded code`)
  return group[0]
}

/** The code of a group, by its files. */
interface LazyGroup {
  /** Files that loading the group evaluates, those of other groups included. */
  files: readonly string[]
  /** The files of `files` that the service loads with `import()`. */
  entries: readonly string[]
}

/** Imports of a file. */
type Graph = ReadonlyMap<string, { kind: string; path: string }[]>

function toGraph({ inputs }: Metafile): Graph {
  const entries = Object.entries(inputs).map(([file, { imports }]) => [file, imports] as const)
  return new Map(entries.map(([file, imports]) => [file, imports.map(({ kind, path }) => ({ kind, path }))]))
}

/** All files that importing some files evaluates, without the known ones. */
function findReached(graph: Graph, files: Iterable<string>, known: ReadonlySet<string> = new Set()): Set<string> {
  const reached = new Set([...files].filter((file) => !known.has(file)))
  for (const file of reached) {
    for (const { kind, path } of graph.get(file) ?? []) {
      if (kind !== 'dynamic-import' && graph.has(path) && !known.has(path)) reached.add(path)
    }
  }
  return reached
}

/**
 * Divides the code that does not start with an isolate. A group also loads all files of each group that it imports from, so that esbuild
 * makes one module of each group, and not one of each combination of importers.
 */
export function planLazyGroups(metafile: Metafile, service: string): ReadonlyMap<string, LazyGroup> {
  const graph = toGraph(metafile)
  const start = findReached(graph, [relative(projectFolder, service)])
  const targets = new Set(
    [...graph.values()].flatMap((imports) =>
      imports.filter(({ kind, path }) => kind === 'dynamic-import' && graph.has(path)).map(({ path }) => path),
    ),
  )
  const lazy = [...findReached(graph, targets, start)]
  const byGroup = Map.groupBy(lazy, findLazyGroup)
  const plan = new Map<string, LazyGroup>()
  for (const [name, own] of byGroup) {
    if (name === undefined) continue
    let files = findReached(graph, own, start)
    for (let size = 0; size !== files.size; ) {
      size = files.size
      const groups = new Set([...files].map(findLazyGroup))
      const all = lazy.filter((file) => findLazyGroup(file) !== undefined && groups.has(findLazyGroup(file)))
      files = findReached(graph, [...files, ...all], start)
    }
    plan.set(name, {
      files: [...files].filter((file) => findLazyGroup(file) !== undefined),
      entries: own.filter((file) => targets.has(file)),
    })
  }
  return plan
}

/** An `import()` of a file of the service. */
const lazyImport = /\bimport\('(\.[^']+)'\)/g

/**
 * Loads the group of a file where the code loads the file. Each group also imports the service, so that all code that the service needs at its
 * start is in one module.
 */
export function loadGroups(service: string, plan: ReadonlyMap<string, LazyGroup>): Plugin {
  const places = new Map(
    [...plan].flatMap(([name, { entries }]) => entries.map((file, index) => [file, { name, index }])),
  )
  return {
    name: 'load-groups',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8')
        const contents = source.replace(lazyImport, (whole, file: string) => {
          const place = places.get(relative(projectFolder, resolve(dirname(path), file)))
          return place ? `import('group:${place.name}').then((group) => group.file${place.index})` : whole
        })
        return { contents, loader: 'ts' }
      })
      build.onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }))
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => {
        const { files = [], entries = [] } = plan.get(path) ?? {}
        const imports = [service, ...files.map((file) => resolve(projectFolder, file))]
        return {
          contents: [
            ...imports.map((file) => `import ${JSON.stringify(file)}`),
            ...entries.map(
              (file, index) => `export * as file${index} from ${JSON.stringify(resolve(projectFolder, file))}`,
            ),
          ].join('\n'),
          resolveDir: projectFolder,
        }
      })
    },
  }
}
