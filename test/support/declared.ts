import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A number that a file of `src` declares and does not export: `const NAME = 1_000`, or a member `NAME: 1_000`. */
export function declared(file: string, name: string): number {
  const source = readFileSync(resolve(import.meta.dirname, '../../src', file), 'utf8')
  const [, number] = new RegExp(`\\b${name}(?: =|:) ([\\d_]+)`).exec(source) ?? []
  if (number === undefined) throw new Error(`${file} declares no number ${name}`)
  return Number(number.replaceAll('_', ''))
}
