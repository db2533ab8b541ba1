interface Module {
  meta?: unknown
}
interface ModuleRunner {
  evaluatedModules: { getModuleByUrl(url: string): Module | undefined }
  cachedModule(url: string, importer?: string): Promise<Module>
}

const mocker: { moduleRunner: ModuleRunner } = Reflect.get(globalThis, '__vitest_mocker__')
const { moduleRunner } = mocker
const { evaluatedModules } = moduleRunner
const fetchModule = moduleRunner.cachedModule.bind(moduleRunner)

/**
 * Finds modules that this process has loaded without asking vitest, which the test plugin does through a Durable Object for each import
 * of each module. A process runs the modules of one version only: vitest starts another one after an edit.
 */
moduleRunner.cachedModule = async (url, importer) => {
  const known = evaluatedModules.getModuleByUrl(url)
  return known?.meta === undefined ? await fetchModule(url, importer) : known
}
