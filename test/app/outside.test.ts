import { expect, test } from 'vitest'

test('a request to the Internet fails without a look-up in DNS', async () => {
  const response = await fetch('https://hooks.example.com/')
  expect(response.status).toBe(503)
})
