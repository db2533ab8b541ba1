import { open, rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CliError, getReason, runCommand } from '../cli-error.ts'
import { backup, backupsOf } from './backups.ts'
import { connectOperator, localUrl, serviceOptions, urlHelp } from './service.ts'

const usage = `Takes a backup of a merchant, or lists or downloads backups.

  npm run backup -- MERCHANT [--download FILE] [--list] [--url ${localUrl}]
  npm run backup -- MERCHANT --remote [--url https://menu.example.com]

  --list      List the backups, newest first, and take none
  --download  Write the backup to a file too
  --remote    Use the deployed service. Requires the environment variable ADMIN_TOKEN.
  --url       ${urlHelp}`

function readArguments() {
  try {
    const options = { ...serviceOptions, download: { type: 'string' }, list: { type: 'boolean' } } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new CliError(`${getReason(error)}\n\n${usage}`)
  }
}

await runCommand(async () => {
  const { values, positionals } = readArguments()
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [merchantId, ...more] = positionals
  if (merchantId === undefined || more.length > 0) throw new CliError(usage)
  const service = await connectOperator(values)
  const path = backupsOf(merchantId)
  if (values.list) {
    const listed = await service.call(backup.array(), 'GET', path)
    for (const each of listed)
      console.log(
        `${new Date(each.takenAt * 1000).toISOString()}  --at ${each.takenAt}  ${each.rows} rows, ${each.bytes} bytes${each.damage === undefined ? '' : `  damaged: ${each.damage}`}`,
      )
    if (listed.length === 0) console.log('The merchant has no backups.')
    return 0
  }
  const taken = await service.call(backup, 'POST', path)
  console.log(
    `Backed up ${taken.rows} rows of ${merchantId}. Restore it with: npm run restore -- ${merchantId} --at ${taken.takenAt}`,
  )
  if (values.download !== undefined) {
    // npm changes to the project's folder. INIT_CWD is the folder where the user called it.
    const file = resolve(process.env['INIT_CWD'] ?? '.', values.download)
    const { body } = await service.request('GET', `${path}/${taken.takenAt}`)
    if (!body) throw new CliError('The service returned no file.', 1)
    const output = await open(`${file}.part`, 'w')
    try {
      for await (const chunk of body) await output.write(chunk)
    } finally {
      await output.close()
    }
    await rename(`${file}.part`, file)
    console.log(`Wrote ${file}.`)
  }
  return 0
})
