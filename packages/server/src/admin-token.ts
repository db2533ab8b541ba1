import { ServerError } from './server-error.ts'

const minBits = 128
/** A token of fewer different characters repeats a pattern. */
const minDistinct = 8
/** Tokens of examples, and texts that stand for a token. */
const samples = /dev-admin-token|change-?me|example|sample|your-|<|>/i
const hint = 'Make one with: openssl rand -hex 32'

/** Classes of characters, and the number of characters of each. */
const classes: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^0-9a-zA-Z]/, 2],
]

/** The most bits that a random text of these characters has. A text of hexadecimal digits has four in each. */
function countBits(token: string): number {
  const alphabet = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(token)
    ? 16
    : classes.reduce((sum, [pattern, size]) => sum + (pattern.test(token) ? size : 0), 0)
  return token.length * Math.log2(alphabet)
}

/** Throws if a token is missing, one of an example, or can be guessed. The message never contains the token. */
export function requireToken(name: string, token: string | undefined): string {
  if (!token) throw new ServerError(`${name} is not set. ${hint}`)
  if (samples.test(token)) throw new ServerError(`${name} is that of an example. ${hint}`)
  if (!/^[!-~]+$/.test(token))
    throw new ServerError(`${name} contains a blank or another character that headers lack. ${hint}`)
  if (countBits(token) < minBits || new Set(token).size < minDistinct)
    throw new ServerError(`${name} has fewer than ${minBits} bits. ${hint}`)
  return token
}
