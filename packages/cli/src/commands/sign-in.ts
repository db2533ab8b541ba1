import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ApiError } from 'merchant-ordering-client'
import { type Command, type Context, rejectWords, textOf } from '../command.ts'
import { UsageError } from '../errors/usage-error.ts'
import {
  connect,
  connectOperator,
  defaultName,
  type Profile,
  readOrigin,
  readProfiles,
  writeProfiles,
} from '../profiles.ts'

/** Reads a key without showing it; from a pipe, the whole standard input. */
async function readKey(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return (await text(stdin)).trim()
  stderr.write('Key: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    return (await terminal.question('')).trim()
  } finally {
    terminal.close()
    stderr.write('\n')
  }
}

/** Requires that the service accepts the key. A key may lack the scope of this request. */
async function check(profile: Profile): Promise<void> {
  try {
    if (profile.merchantId === undefined) await connectOperator(profile).merchants.list({ limit: 1 }).page()
    else await connect(profile).products.list({ limit: 1 }).page()
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403 && /lacks the scope/.test(error.message))) throw error
  }
}

const nameOf = (context: Context) =>
  textOf(context, 'profile') ?? process.env['MERCHANT_ORDERING_PROFILE'] ?? defaultName

/** The beginning of a key, which shows its mode, and its last characters. */
const mask = (key: string) => {
  const [start] = /^sk_[a-z]+_/.exec(key) ?? []
  return start === undefined ? '…' : `${start}…${key.slice(-4)}`
}

export const signInCommands: readonly Command[] = [
  {
    name: 'login',
    summary: 'Stores the address of the service, and a key',
    details: `Without --key, the key is read from the terminal or the standard input, so that it is not in the history of
the shell. Only you can read the file (mode 600).`,
    options: {
      url: { value: 'URL', description: 'Address of the service' },
      merchant: { value: 'ID', description: 'Id of the merchant' },
      key: { value: 'KEY', description: 'API key, or with --operator the operator token' },
      operator: { description: 'Signs in as the operator of the service' },
    },
    examples: [
      'login --url https://api.example.com --merchant mer_… < key.txt',
      'login --profile ops --operator --url https://api.example.com',
    ],
    async run(context) {
      rejectWords(context)
      const origin = readOrigin(textOf(context, 'url') ?? 'http://localhost:8787')
      const merchantId = textOf(context, 'merchant')
      const isOperator = context.values['operator'] === true
      if (isOperator === (merchantId !== undefined)) throw new UsageError('Use either --merchant ID or --operator.')
      const key = textOf(context, 'key') ?? (await readKey())
      if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('A key must not be empty or contain white space.')
      const profile = { origin, key, ...(merchantId !== undefined && { merchantId }) }
      await check(profile)
      const name = nameOf(context)
      const { profiles } = await readProfiles()
      await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } })
      context.output.note(`Signed in to ${origin} as ${merchantId ?? 'the operator'}. Profile: ${name}.`)
    },
  },
  {
    name: 'logout',
    summary: 'Deletes a profile',
    examples: ['logout', 'logout --profile ops'],
    async run(context) {
      rejectWords(context)
      const { current, profiles } = await readProfiles()
      const name = textOf(context, 'profile') ?? current
      const { [name]: known, ...others } = profiles
      if (!known) throw new UsageError(`The profile ${name} does not exist.`)
      await writeProfiles({
        current: name === current ? (Object.keys(others)[0] ?? defaultName) : current,
        profiles: others,
      })
      context.output.note(`Deleted the profile ${name}. The key stays valid: revoke it if nobody uses it.`)
    },
  },
  {
    name: 'profiles',
    usage: '[name]',
    summary: 'Lists profiles, or selects the current one',
    examples: ['profiles', 'profiles ops'],
    async run({ words: [name], output }) {
      const stored = await readProfiles()
      if (name !== undefined) {
        if (!stored.profiles[name]) throw new UsageError(`The profile ${name} does not exist.`)
        await writeProfiles({ ...stored, current: name })
      }
      const current = name ?? stored.current
      const rows = Object.entries(stored.profiles).map(([profile, { origin, merchantId, key }]) => ({
        profile,
        current: profile === current,
        origin,
        merchant: merchantId ?? 'operator',
        key: mask(key),
      }))
      await output.list(rows, ['profile', 'current', 'origin', 'merchant', 'key'])
    },
  },
]
