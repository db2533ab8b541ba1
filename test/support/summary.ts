import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line, for people and for scripts that read logs. */
export const summary: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const broken = modules.filter((module) => !module.ok() && module.children.size === 0).length + unhandled.length
    console.log(`\n${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`)
  },
}
