import { ConnectionError } from '../client-errors.ts'
import type { RequestOptions, Transport } from '../transport.ts'
import type { ListedObject, ResourcePath } from './batch.ts'
import { readLines } from './json-lines.ts'

/** One object of an export. */
export type ExportedObject<Path extends ResourcePath = ResourcePath> = {
  [Each in Path]: { resource: Each; externalId?: string; object: ListedObject<Each> }
}[Path]

/** Time and position of an export. */
export interface ExportHeader {
  merchantId: string
  testMode: boolean
  /** In seconds since 1970-01-01 UTC. */
  takenAt: number
  /** Id of the newest event at that time; `events.follow({ after: lastEvent })` updates a copy. Absent without events. */
  lastEvent?: string
}

/** The objects of an export. The iterator throws `ConnectionError` if the export ends early. */
export interface Export<Path extends ResourcePath> extends AsyncIterable<ExportedObject<Path>> {
  header: ExportHeader
}

type Line<Path extends ResourcePath> =
  | { export: ExportHeader; end?: undefined }
  | { end: { counts: Record<string, number> }; export?: undefined }
  | (ExportedObject<Path> & { export?: undefined; end?: undefined })

const incomplete = (cause?: unknown) => new ConnectionError('The export ended before its last line.', { cause })
function parseLine<Path extends ResourcePath>(line: string): Line<Path> {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw incomplete(error)
  }
}

/** Starts an export of the given resources, or of all. */
export async function startExport<Path extends ResourcePath>(
  transport: Transport,
  path: string,
  resources: readonly Path[] | undefined,
  options: RequestOptions = {},
): Promise<Export<Path>> {
  const query = resources ? { resources: resources.join(',') } : {}
  const response = await transport.send({ method: 'GET', path, query, isStreamed: true, ...options })
  const lines = readLines(response, options.signal)
  const first = await lines.next()
  const { export: header } = parseLine<Path>(first.done ? '{}' : first.value)
  if (!header) throw incomplete()
  return {
    header,
    async *[Symbol.asyncIterator]() {
      for await (const text of lines) {
        const line = parseLine<Path>(text)
        if (line.end) return
        if (!line.export) yield line
      }
      throw incomplete()
    },
  }
}
