import { adminToken, call, createVenue, send, type Venue } from '../../support/api.ts'

export const menuBar = { actions: ['call', 'bill', 'share'] }

interface Tag {
  id: string
  code: string
  nfcUrl: string
}
export const change = (venue: { id: string }, fields: object) =>
  call('POST', `/admin/merchants/${venue.id}`, adminToken, fields)
export async function createTag(venue: Pick<Venue, 'post'>, table = '4'): Promise<Tag> {
  const { id, alias, nfcUrl } = (await venue.post('/tags', { metadata: [{ key: 'Table', value: table }] })).body
  return { id, code: alias[0], nfcUrl }
}
/** The address to which a scan redirects. */
export async function scan(path: string): Promise<URL> {
  const { headers } = await send(path)
  return new URL(headers.get('location') ?? '', 'https://api.test')
}
export const getSeat = async (path: string) => (await scan(path)).searchParams.get('seat')
export async function createTable(fields: object = {}) {
  const venue = await createVenue({ menuBar, ...fields })
  const tag = await createTag(venue)
  return { venue, tag, seat: (await getSeat(`/t/${tag.code}`)) ?? '' }
}
export const ask = (merchantId: string, form: Record<string, string>, query = '') =>
  send(`/m/${merchantId}/requests${query}`, { method: 'POST', body: new URLSearchParams(form) })
export const listOpen = async (venue: Pick<Venue, 'get'>) =>
  (await venue.get('/requests')).body.requests.map(({ tag, kind }: { tag: string; kind: string }) => [tag, kind])
export const listEvents = async (venue: Pick<Venue, 'get'>, type = 'tag.requested') =>
  (await venue.get(`/events?types=${type}&limit=100`)).body.map(({ data }: { data: object }) => data)
