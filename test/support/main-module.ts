interface ModuleRunner {
  import(id: string, ...rest: readonly unknown[]): Promise<unknown>
}

const main = new URL('../../src/index.ts', import.meta.url).pathname
const mocker: { moduleRunner: ModuleRunner } = Reflect.get(globalThis, '__vitest_mocker__')
const { moduleRunner } = mocker
const importModule = moduleRunner.import.bind(moduleRunner)
const loaded = await importModule(main)

/**
 * Keeps the module of the Worker. The test plugin imports it for each request, and the runner of modules asks vitest each time where it
 * is: a message out of workerd and back.
 */
moduleRunner.import = async (id, ...rest) => (id === main ? loaded : importModule(id, ...rest))
