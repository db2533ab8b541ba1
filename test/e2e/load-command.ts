import { runCommand } from './command.ts'
import type { Account } from './merchant.ts'

/** The arguments of `npm run load` for a merchant. */
export const flags = ({ url, merchantId, key }: Account) => ['--url', url, '--merchant', merchantId, '--key', key]
/** Runs `npm run load` to its end. */
export const load = (...args: readonly string[]) => runCommand('.', process.execPath, 'src/cli/load.ts', ...args)
/** The lines of an output, with single spaces. */
export const linesOf = (output: string) => output.split('\n').map((line) => line.trim().replace(/ +/g, ' '))
