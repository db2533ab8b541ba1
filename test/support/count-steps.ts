import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Optimized code counts blocks that are inlined differently, and when a function is optimized depends on the load of the machine.
for (const compiler of ['opt', 'maglev', 'sparkplug']) setFlagsFromString(`--no-${compiler}`)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
// Code that was compiled before has no counters: a test imports what it measures with `import()` afterwards.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const sourceUrl = pathToFileURL('src/').href
const isSource = (url: string) =>
  url.startsWith(sourceUrl) || url.startsWith(new URL(sourceUrl).pathname) || url.includes('/node_modules/papaparse/')

/** The number of times that blocks of code of `src`, and of the library that reads CSV, ran since the last call. */
async function takeCount(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ranges = result
    .filter(({ url }) => isSource(url))
    .flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

/** The number of steps of a piece of work: how often blocks of code of `src` run. */
export async function countSteps(work: () => unknown): Promise<number> {
  await takeCount()
  await work()
  return takeCount()
}

/** Sizes from which inputs are a fifth as large outside of CI: code that is not optimized takes long. */
const largeSize = 400
const shareOf = (size: number) => (process.env['CI'] || size < largeSize ? 1 : 5)

/**
 * Requires that the steps grow no faster than the input, with inputs of sizes n, 2n and 4n. Quadratic work takes 16 times the steps for 4n.
 * Returns the steps for the largest input of CI: outside of CI, inputs are smaller and the steps are multiplied.
 */
export async function requireLinear<Input>(
  create: (size: number) => Input | Promise<Input>,
  run: (input: Input) => unknown,
  size: number,
): Promise<number> {
  const share = shareOf(size)
  const measure = async (factor: number) => {
    const input = await create((factor * size) / share)
    return countSteps(() => run(input))
  }
  // The first run fills caches and tables.
  await measure(1)
  const [one, two, four] = [await measure(1), await measure(2), await measure(4)]
  if (two > 3 * one || four > 6 * one) throw new Error(`steps grow from ${one} to ${two} and ${four}`)
  // Work that is not seen is not measured.
  if (four * share < size) throw new Error(`only ${four} steps for an input of ${(4 * size) / share}`)
  return four * share
}
