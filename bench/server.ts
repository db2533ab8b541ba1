/** `npm run bench:server`: time until the server for a machine of one's own accepts requests, and its memory with 100 venues of 200 products. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildOwnServer, startOwnServer } from './homes/own-server.ts'
import { createProducts } from './homes/products.ts'
import { table } from './table.ts'

const venues = 100
const products = 200
/** Time without requests before memory is measured, in milliseconds. */
const quietMs = 60_000

const folder = await mkdtemp(join(tmpdir(), 'server-'))
try {
  buildOwnServer()
  const data = join(folder, 'data')
  const first = await startOwnServer(data)
  for (let count = 0; count < venues; count++) await createProducts(await first.createMerchant(), products)
  await wait(quietMs)
  const filled = await first.measureMemory()
  await first.stop()
  const second = await startOwnServer(data)
  await wait(quietMs)
  const started = await second.measureMemory()
  await second.stop()
  const megabytes = ({ supervisor, workerd }: typeof filled) =>
    `${(supervisor + workerd).toFixed(0)} MB (supervisor ${supervisor.toFixed(0)}, workerd ${workerd.toFixed(0)})`
  console.log(`\n${venues} venues with ${products} products each`)
  table(
    ['', 'figure'],
    [
      ['start without data', `${first.readyMs.toFixed(0)} ms`],
      ['start with them', `${second.readyMs.toFixed(0)} ms`],
      ['memory a minute after they were created', megabytes(filled)],
      ['memory a minute after the second start', megabytes(started)],
    ],
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
