import { expect, vi } from 'vitest'
import { type ApiResponse, send, type Venue } from './api.ts'

export const csv = { 'content-type': 'text/csv' }
export const jsonl = { 'content-type': 'application/jsonl' }

type Importer = Pick<Venue, 'key' | 'path' | 'get'>

/** Uploads a file. */
export const upload = (
  { key, path }: Importer,
  query: string,
  content: BodyInit,
  headers: Record<string, string> = csv,
): Promise<ApiResponse> =>
  send(path(`/imports?${query}`), {
    method: 'POST',
    body: content,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })

export const toJsonLines = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Waits until an import leaves the states in which the queue works on it. */
export async function settle(venue: Importer, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await venue.get(`/imports/${id}`)
      expect(['checking', 'applying']).not.toContain(body.state)
      return body
    },
    { timeout: 15_000, interval: 25 },
  )
}

/** Uploads a file and waits until it is checked. */
export async function check(venue: Importer, query: string, content: BodyInit, headers?: Record<string, string>) {
  const { status, body } = await upload(venue, query, content, headers)
  expect([status, body.state]).toEqual([202, 'checking'])
  return settle(venue, body.id)
}

/** Uploads a file, applies it and waits until that is done. */
export async function importFile(
  venue: Importer & Pick<Venue, 'post'>,
  query: string,
  content: BodyInit,
  headers?: Record<string, string>,
) {
  const checked = await check(venue, query, content, headers)
  expect(checked).toMatchObject({ state: 'ready' })
  expect((await venue.post(`/imports/${checked.id}/apply`, undefined)).status).toBe(202)
  return settle(venue, checked.id)
}

/** The issues of an import, each as its row, place and code. */
export async function listIssues(venue: Importer, id: string): Promise<string[]> {
  const { body } = await venue.get(`/imports/${id}/errors`)
  return body.map(({ row, column, pointer, code }: Record<string, string>) =>
    [row, column ?? pointer, code].filter((part) => part !== undefined).join(' '),
  )
}

/** The counts of an import that are not 0. */
export const toCounts = (found: Record<string, unknown>) =>
  Object.fromEntries(
    ['rows', 'checked', 'applied', 'created', 'updated', 'unchanged', 'deleted', 'failed']
      .map((name) => [name, found[name]])
      .filter(([, count]) => count !== 0),
  )

/** A body that arrives in parts. */
export const streamOf = (...parts: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
