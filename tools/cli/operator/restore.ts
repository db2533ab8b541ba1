import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { nowInSeconds } from '../../../src/platform/lib/time.ts'
import { backupDays } from '../../../src/tenancy/backup/backup-file.ts'
import { CliError, getReason, runCommand } from '../cli-error.ts'
import { backup, backupsOf, restore, restoreOf } from './backups.ts'
import { connectOperator, localUrl, type OperatorService, RejectedError, serviceOptions, urlHelp } from './service.ts'

const usage = `Restores a merchant from a backup: restores a deleted merchant, or replaces the data of an existing one.

  npm run restore -- MERCHANT [--at TIME] [--replace] [--yes] [--url ${localUrl}]
  npm run restore -- FILE [--replace] [--yes] [--remote] [--url https://menu.example.com]

  MERCHANT   Id of the merchant. Uses its newest backup.
  FILE       A backup that was downloaded: gzip JSON Lines
  --at       Uses the newest backup that was taken at or before a time: seconds since 1970, or 2026-11-21T09:00:00Z
  --replace  Replace the data of an existing merchant. It is backed up first, and suspended during the restore.
  --yes      Do not ask before the data is replaced
  --remote   Use the deployed service. Requires the environment variable ADMIN_TOKEN.
  --url      ${urlHelp}

After an interruption, run the same command again. docs/operations.md describes the state after a restore.`

/** Maximum number of responses that report another load of the backup. The service gives up earlier by itself. */
const maxReloads = 6
/** Maximum age of a backup that the service certainly accepts, in seconds. It allows for the time until the request arrives. */
const acceptedSeconds = (backupDays.kept - 1) * daySeconds

function readArguments() {
  try {
    const options = {
      ...serviceOptions,
      at: { type: 'string' },
      replace: { type: 'boolean' },
      yes: { type: 'boolean' },
    } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

/** Seconds since 1970 of `--at`. */
function parseTime(text: string): number {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000)
  if (Number.isFinite(seconds)) return seconds
  throw new CliError(`--at ${text} is not a time.`)
}

/** Reads the merchant and the time of a backup file. */
async function readHeader(file: Blob) {
  const reader = file
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(new TextDecoderStream())
    .getReader()
  let text = ''
  try {
    while (!text.includes('\n')) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    await reader.cancel()
    const header = z.object({ backup: z.object({ merchantId: z.string(), takenAt: z.number() }) })
    return header.parse(JSON.parse(text.slice(0, text.indexOf('\n')))).backup
  } catch {
    throw new CliError('The file is not a backup of a merchant.')
  }
}

async function hashFile(file: Blob): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk)
  return hash.digest('hex')
}

/** Uploads a file under its own time, or, if that is too old or in use, under the current one. Returns the time. */
async function uploadFile(service: OperatorService, path: string) {
  const file = await openAsBlob(path).catch((error: unknown) => {
    throw new CliError(`${path} cannot be read: ${getReason(error)}`)
  })
  const { merchantId, takenAt } = await readHeader(file)
  const now = nowInSeconds()
  const listed = await service.call(backup.array(), 'GET', backupsOf(merchantId))
  const same = listed.find((each) => each.takenAt === takenAt)
  // Does not compare the length, which can be equal for a damaged file.
  if (same?.sha256 !== undefined && same.sha256 === (await hashFile(file))) return { merchantId, takenAt }
  const isFree = !same && takenAt > now - acceptedSeconds && takenAt <= now
  const at = isFree ? takenAt : now
  await service.request('PUT', `${backupsOf(merchantId)}/${at}`, { file })
  return { merchantId, takenAt: at }
}

async function findBackup(service: OperatorService, merchantId: string, before: number) {
  const listed = await service.call(backup.array(), 'GET', backupsOf(merchantId))
  const found = listed.find(({ takenAt }) => takenAt <= before)
  if (!found) throw new CliError(`${merchantId} has no backup of that time.`, 1)
  return { merchantId, takenAt: found.takenAt }
}

/** One line about a running restore. */
function describeProgress({ state, rows, totalRows, reason }: z.output<typeof restore>): string {
  const of = totalRows === undefined ? '' : ` of ${totalRows}`
  const progress = `${state}: ${rows}${of} rows`
  return reason === undefined ? progress : `${progress} of the data before the restore. ${reason}`
}

async function confirm(merchantId: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CliError('Pass --yes to replace the data of the merchant.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`This replaces all data of ${merchantId}. Type its id to continue: `)
  terminal.close()
  return answer.trim() === merchantId
}

await runCommand(async () => {
  const { values, positionals } = readArguments()
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [source, ...more] = positionals
  if (source === undefined || more.length > 0) throw new CliError(usage)
  const isMerchant = /^mer_\w+$/.test(source)
  if (!isMerchant && values.at !== undefined) throw new CliError('--at requires the id of a merchant, not a file.')
  const before = values.at === undefined ? Number.POSITIVE_INFINITY : parseTime(values.at)
  const service = await connectOperator(values)
  const { merchantId, takenAt } = isMerchant
    ? await findBackup(service, source, before)
    : // npm changes to the project's folder. INIT_CWD is the folder where the user called it.
      await uploadFile(service, resolve(process.env['INIT_CWD'] ?? '.', source))
  if (values.replace && !values.yes && !(await confirm(merchantId))) {
    console.error('Nothing was changed.')
    return 1
  }
  console.log(`Restoring ${merchantId} from the backup of ${new Date(takenAt * 1000).toISOString()}.`)
  await service.call(restore, 'POST', restoreOf(merchantId), { json: { takenAt, replace: values.replace ?? false } })
  for (let reloads = 0; ; ) {
    try {
      const step = await service.call(restore, 'POST', `${restoreOf(merchantId)}/continue`)
      if (step.state === 'done') {
        const omitted = Object.entries(step.omitted)
        const left = omitted.map(([table, rows]) => `${rows} of ${table}`)
        const restored = omitted.reduce((rest, [, rows]) => rest - rows, step.rows)
        console.log(`Restored ${restored} rows.${left.length > 0 ? ` Left out: ${left.join(', ')}.` : ''}`)
        if (step.keptSettings !== undefined)
          console.log(`The backup is of an earlier release. Kept as they were: ${step.keptSettings.join(', ')}.`)
        if (step.savedAt !== undefined)
          console.log(`Undo it with: npm run restore -- ${merchantId} --at ${step.savedAt} --replace`)
        console.log(
          'Webhooks are inactive. If tags were deleted or created since the backup, run npm run rebuild-tags.',
        )
        return 0
      }
      if (step.state === 'failed') {
        console.error(`The backup could not be restored: ${step.reason} ${merchantId} has its previous data.`)
        return 1
      }
      if (step.waitSeconds !== undefined) {
        console.log(`Waiting ${step.waitSeconds} seconds, until its API keys are rejected everywhere.`)
        await wait(step.waitSeconds * 1000)
      } else console.log(describeProgress(step))
    } catch (error) {
      if (!(error instanceof RejectedError && error.status === 409) || ++reloads > maxReloads) throw error
      console.error(error.message)
    }
  }
})
