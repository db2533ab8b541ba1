import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import * as z from 'zod'
import { buildFiles } from '../openapi/build.ts'
import { projectFolder } from './demo.ts'

/** Makes the documentation out of the declarations, as files that the Worker serves. */
export async function writeDocs(folder = resolve(projectFolder, 'public')): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries({ ...(await buildFiles()), 'reference.js': readReference() })) {
    const file = join(folder, name)
    // Whoever reads it meanwhile gets the old one or the new one, never half of either.
    const written = `${file}.${process.pid}`
    await writeFile(written, content)
    await rename(written, file)
  }
}

interface Route {
  url: string
  handler(request: object, reply: object): void
}

/**
 * The program that draws the reference. Its own package brings 240 MB of parts along; that for Fastify holds the same program
 * in one file and little else, and serves it to whatever answers as Fastify does.
 */
function readReference(): string {
  const routes: Route[] = []
  const fastify = { hasPlugin: () => false, initialConfig: {}, route: (route: Route) => routes.push(route) }
  scalar(fastify, { configuration: { url: '/openapi.json' } }, () => {})
  const sent: unknown[] = []
  const reply = { header: () => reply, send: (content: unknown) => sent.push(content) }
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply)
  return z.string().includes('createApiReference').parse(sent[0])
}

if (import.meta.main) await writeDocs()
