import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/platform/http/fields.ts'
import { createKey, createVenue } from '../../support/api.ts'

const product = { op: 'create', resource: 'products', body: { title: 'Tea', price: 1 } }
const scopes = ['webhooks:read', 'webhooks:write', 'products:read', 'products:write', 'changes:read', 'changes:write']

describe.each([
  { size: 'at once', more: 1 },
  { size: 'in steps', more: limits.operations },
])('an undo $size', ({ more }) => {
  test.each(['narrowed', 'moved', 'deleted'])(
    'gives a %s webhook no events that the key may not read',
    async (change) => {
      const venue = await createVenue()
      const thief = await createKey(venue.id, { mode: 'live', scopes })
      const events = ['customer.created']
      const { body: webhook } = await venue.post('/webhooks', {
        title: 'Old',
        url: 'https://thief.example.com/',
        events,
      })
      const body = { narrowed: { events: ['product.created'] }, moved: { url: 'https://sound.example.com/' } }[change]
      const headers = { 'Change-Set': 'tidy' }
      const op = body ? { op: 'update', body } : { op: 'delete' }
      const operations = [{ ...op, resource: 'webhooks', id: webhook.id }]
      const { body: set } = await venue.post('/batch', { operations }, headers)
      for (let left = more; left > 0; left -= 500)
        await venue.post('/batch', { operations: Array.from({ length: Math.min(left, 500) }, () => product) }, headers)

      const undone = await thief.post(`/changes/${set.changeSet}/undo`, undefined)
      const { status, body: now } = await venue.get(`/webhooks/${webhook.id}`)
      const isThieves = status === 200 && now.url === webhook.url && now.events.includes('customer.created')
      expect([isThieves, undone.status]).toEqual([false, more === 1 ? 200 : 403])
      expect((await venue.post(`/changes/${set.changeSet}/undo`, undefined)).status).toBeLessThan(300)
    },
  )
})
