import { UsageError } from './errors/usage-error.ts'
import { parseJson, readTextFile } from './fields.ts'
import { isRecord } from './files.ts'

/** The service checks operations. Here only their shape is checked. */
const isOperation = <Operation>(value: unknown): value is Operation =>
  isRecord(value) && typeof value['op'] === 'string' && typeof value['resource'] === 'string'

/** Reads operations: a JSON array, the body of a batch, or JSON Lines. */
export async function readOperations<Operation extends object>(file: string): Promise<readonly Operation[]> {
  const source = await readTextFile(file)
  const whole = /^\s*(?:\[|\{\s*"(?:mode|operations)")/.test(source)
  const parsed = whole
    ? parseJson(source, file)
    : source.split('\n').flatMap((line, index) => (line.trim() ? [parseJson(line, `Line ${index + 1}`)] : []))
  const operations = isRecord(parsed) ? parsed['operations'] : parsed
  if (!Array.isArray(operations)) throw new UsageError(`${file} must have a list of operations.`)
  return operations.map((operation: unknown, index) => {
    if (!isOperation<Operation>(operation))
      throw new UsageError(`Operation ${index + 1} must have "op" and "resource".`)
    return operation
  })
}
