import { followTimers } from './database-clock.ts'

/** A module as vitest's runner in workerd keeps it. */
interface LoadedModule {
  promise?: unknown
  exports?: unknown
  evaluated: boolean
  importers: Set<string>
}
const list = (form: RegExp) => {
  const { evaluatedModules }: { evaluatedModules: { idToModuleMap: Map<string, LoadedModule> } } = Reflect.get(
    globalThis,
    '__vitest_worker__',
  )
  return [...evaluatedModules.idToModuleMap].flatMap(([id, module]) =>
    form.test(id) && !id.includes('/node_modules/') ? [module] : [],
  )
}

const forget = (module: LoadedModule) =>
  Object.assign(module, { promise: undefined, exports: undefined, evaluated: false, importers: new Set() })

let last: Promise<unknown> = Promise.resolve()

/**
 * Loads another copy of the modules of `src`, with caches, locks and clocks of their own. Later imports, other test files and
 * `exports` of the Worker keep the first copy, unlike after `vi.resetModules`. Dependencies are not loaded again,
 * and with `form` only the modules whose path has it, which takes less time.
 */
export async function loadCopy<Module>(load: () => Promise<Module>, form = /\/src\//): Promise<Module> {
  const copy = last.then(async () => {
    const kept = new Map(list(form).map((module) => [module, { ...module }]))
    for (const module of kept.keys()) forget(module)
    try {
      const loaded = await load()
      const databases = list(/\/src\/platform\/db\/database\.ts/)
      if (databases.length === 0) throw new Error('no module has the clock of the database')
      for (const { exports } of databases) {
        const { databaseClock } = Object(exports)
        if (databaseClock) databaseClock.shift = followTimers
      }
      return loaded
    } finally {
      for (const module of list(form)) Object.assign(module, kept.get(module) ?? forget(module))
    }
  })
  last = copy.catch(() => undefined)
  return copy
}
