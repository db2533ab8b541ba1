import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { afterAll, expect, test } from 'vitest'

const file = join(resolve(import.meta.dirname, '../..'), 'public/openapi.json')
const text = await readFile(file, 'utf8')
const folder = await mkdtemp(join(tmpdir(), 'lint-'))
afterAll(() => rm(folder, { recursive: true }))

const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
/** It asks nobody about versions, and tells nobody that it was used; proxies that are not there make sure of it. */
const environment = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
}

/** What `redocly lint` prints of a document under its recommended rules, as JSON. */
const runRedocly = (path: string) =>
  new Promise<string>((resolve, reject) => {
    const options = ['lint', path, '--extends', 'recommended', '--format', 'json']
    execFile(process.execPath, [redocly, ...options], { env: environment, maxBuffer: 2 ** 26 }, (error, output) =>
      output === '' ? reject(error) : resolve(output),
    )
  })

/** What Spectral's recommended rules say of a document. */
async function runSpectral(document: string) {
  const spectral = new Spectral()
  // Its rules say of themselves whether they are recommended; the others stay off.
  spectral.setRuleset({ extends: [], ...oas })
  return (await spectral.run(JSON.parse(document))).map(({ code, path }) => `${code} ${path.join('/')}`)
}

interface Problem {
  ruleId: string
  message: string
}

/** No id is `external`, so `/products/external/{externalId}` and `/products/{productId}/limits` are not the same address. */
const isExternal = ({ ruleId, message }: Problem) =>
  ruleId === 'no-ambiguous-paths' && message.includes('/external/{externalId}` and ')

test('redocly finds no issues in the document', async () => {
  const { totals, problems }: { totals: object; problems: Problem[] } = JSON.parse(await runRedocly(file))
  expect(totals).toMatchObject({ errors: 0, ignored: 0 })
  expect(problems.filter((problem) => !isExternal(problem))).toEqual([])
})

test('spectral finds no issues in the document', async () => {
  expect(await runSpectral(text)).toEqual([])
})

test('both find the issues of an invalid document', async () => {
  const faulty = text.replace('"/health"', '"/health/"').replace('"status":"ok"', '"status":"bad"')
  expect(faulty).not.toBe(text)
  await writeFile(join(folder, 'faulty.json'), faulty)
  const { problems } = JSON.parse(await runRedocly(join(folder, 'faulty.json')))
  expect(problems.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain('no-path-trailing-slash')
  expect(await runSpectral(faulty)).toContainEqual(expect.stringContaining('path-keys-no-trailing-slash'))
})
