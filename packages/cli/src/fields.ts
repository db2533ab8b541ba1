import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './errors/usage-error.ts'
import { isRecord } from './files.ts'

/** Reads a file; `-` is the standard input. */
export async function readBytes(name: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return name === '-' ? await buffer(process.stdin) : await readFile(name)
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Reads a file as text, without a byte order mark; `-` is the standard input. */
export async function readTextFile(name: string): Promise<string> {
  const bytes = await readBytes(name)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${name} is not UTF-8.`)
  }
}

/** Parses JSON that the user gave. `what` names it in the error. */
export function parseJson(source: string, what: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** A typed value: `true`, `false`, `null`, lists and objects are JSON. All other values are text. The service reads numbers from text. */
const parseValue = (name: string, value: string): unknown =>
  /^(?:true|false|null)$|^[[{]/.test(value) ? parseJson(value, name) : value

/** Reads `name=value` words. `name:=value` takes any JSON, `name=@file` the text of a file. */
export async function parseFields(words: readonly string[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const word of words) {
    const [, name = '', operator, value = ''] = /^([A-Za-z]\w*)(:?=)(.*)$/s.exec(word) ?? []
    if (operator === undefined) throw new UsageError(`${word} is not of the form name=value.`)
    if (operator === ':=') fields[name] = parseJson(value, name)
    else fields[name] = value.startsWith('@') ? await readTextFile(value.slice(1)) : parseValue(name, value)
  }
  return fields
}

/** The body of a write: the object of `--data`, overridden by the fields of the words. */
export async function readBody(data: string | undefined, words: readonly string[]): Promise<Record<string, unknown>> {
  const source = data?.startsWith('@')
    ? await readTextFile(data.slice(1))
    : data === '-'
      ? await readTextFile(data)
      : data
  const body = source === undefined ? {} : parseJson(source, '--data')
  if (!isRecord(body)) throw new UsageError('--data must be a JSON object.')
  return { ...body, ...(await parseFields(words)) }
}
