import { openToSupport } from '../../../../src/platform/auth/operator/support-rights.ts'
import type { openVenue } from './support-venue.ts'

type Send = (method: string, path: string) => ReturnType<Awaited<ReturnType<typeof openVenue>>['to']>

/** The bodies of all that a session may read, as one text. `ids` stand for the objects that paths name. */
export async function fetchAll(to: Send, ids: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const { method, path } of openToSupport) {
    if (method !== 'GET') continue
    for (const id of path.includes(':') ? ids : ['']) {
      const filled = path.replace(':id', id).replaceAll(/:\w+/g, 'obj_x')
      const { status, body } = await to('GET', filled === '' ? '' : `/${filled}`)
      texts.push(`${status} ${path} ${JSON.stringify(body)}`)
    }
  }
  return texts.join('\n')
}
