// Mirrors the articles of a point of sale into products: npx node examples/mirror-point-of-sale.ts [ARTICLES]
import { createClient } from '../packages/client/src/client.ts'
import { key, merchantId, origin } from './account.ts'

/** An article as the point of sale stores it. Its number is the external id of the product. */
interface Article {
  number: string
  name: string
  cents: number
}

const [count = '2000'] = process.argv.slice(2)
const client = createClient({ origin, merchantId, key })

const articles = Array.from(
  { length: Number(count) },
  (_, index): Article => ({ number: `ART-${index + 1}`, name: `Article ${index + 1}`, cents: 100 + (index % 900) }),
)

const mirror = (rows: readonly Article[]) =>
  client.syncCatalogue(rows, {
    resource: 'products',
    externalId: ({ number }) => number,
    fields: ({ name, cents }) => ({ title: name, price: cents / 100 }),
    deleteMissing: true,
  })

console.log('First night:', await mirror(articles))
console.log('Nothing changed:', await mirror(articles))

const [, ...rest] = articles.map((article, index) => (index === 1 ? { ...article, cents: 999 } : article))
console.log('One new price, one article gone:', await mirror(rest))
