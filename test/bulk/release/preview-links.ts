import { expect } from 'vitest'
import { send, type Venue } from '../../support/api.ts'

/** Signs the address of a preview. */
export async function link(venue: Pick<Venue, 'post'>, release: string, body: object = {}): Promise<URL> {
  const signed = await venue.post(`/releases/${release}/preview-link`, body)
  expect(signed.status).toBe(200)
  return new URL(signed.body.url)
}
/** Reads the data that an address of a menu shows. */
export const readData = (url: URL) => send(`${url.pathname}.json${url.search}`)
