import { get, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod'
import { concatenate } from '../../src/platform/lib/encoding/concatenate.ts'
import { crc32 } from '../../src/platform/lib/encoding/crc32.ts'
import type { Running } from '../platform.ts'
import { type Answer, type Merchant, readEnd, readRefusal, toUrl } from './answers.ts'

const mebibyte = 1024 * 1024
const forms = 8
const readers = 20
const stallMs = 8_000
/** Each export has 15 MB: the network cannot take it while its reader waits. */
export const exportedProducts = 6_000
export const exportedDescription = 'x'.repeat(2_000)
const imports = 8
/** About 10 MB. */
const importedRows = 10_000

/** Large requests that are sent at once. `begin` prepares them, and returns what sends them. */
interface Case {
  name: string
  begin(running: Running, merchants: readonly Merchant[]): () => Promise<Answer[]>
}

const authorize = ({ key }: Merchant) => ({ authorization: `Bearer ${key}` })

/** Merchants in turns. */
const share = <Work>(count: number, merchants: readonly Merchant[], toWork: (merchant: Merchant, n: number) => Work) =>
  Array.from({ length: count }, (_, n) => merchants[n % merchants.length] ?? [])
    .flat()
    .map(toWork)

/** A chunk of a PNG. */
function createChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const inside = concatenate([new TextEncoder().encode(type), data])
  const chunk = new Uint8Array(inside.length + 8)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  chunk.set(inside, 4)
  view.setUint32(inside.length + 4, crc32(inside))
  return chunk
}

/** A chunk of pixels that cannot be packed. */
function createPixels(bytes: number) {
  const pixels = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(pixels.subarray(at, at + 65_536))
  return createChunk('IDAT', pixels)
}

/** A square PNG. Its background color makes it different from all others. */
function createPng(side: number, pixels: Uint8Array<ArrayBuffer>): File {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, side)
  header.setUint32(4, side)
  // 8 bits for each of red, green and blue.
  header.setUint16(8, 0x0802)
  const background = crypto.getRandomValues(new Uint8Array(6))
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    createChunk('IHDR', new Uint8Array(header.buffer)),
    createChunk('bKGD', background),
    pixels,
    createChunk('IEND', new Uint8Array()),
  ]
  return new File(parts, `${side}.png`)
}

const picture = z.object({ url: z.string() })

const sendForms: Case = {
  name: `${forms} forms of 16 MiB`,
  begin(running, merchants) {
    const pixels = createPixels(8 * mebibyte - 1_000)
    const send = async (merchant: Merchant): Promise<Answer> => {
      const [image, variant] = [createPng(2_000, pixels), createPng(1_000, pixels)]
      const body = new FormData()
      body.append('image', image)
      body.append('variant', variant)
      const target = toUrl(running, `/merchants/${merchant.id}/products/${merchant.product}/images`)
      const response = await fetch(target, { method: 'POST', headers: authorize(merchant), body })
      const json = await response.json()
      if (response.status !== 201) return readRefusal(response.status, response.headers.get('retry-after'))
      const isDone = async () => {
        const path = new URL(picture.parse(json).url).pathname
        const bytes = async (url: string) => (await (await fetch(toUrl(running, url))).arrayBuffer()).byteLength
        return (await bytes(path)) === image.size && (await bytes(path.replace('-2000', ''))) === variant.size
      }
      return { status: response.status, isDone }
    }
    return () => Promise.all(share(forms, merchants, send))
  },
}

/** Starts exports, takes nothing for some seconds, then all of them. */
const stallReaders: Case = {
  name: `${readers} stalled readers of exports`,
  begin(running, merchants) {
    const start = (merchant: Merchant) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const url = toUrl(running, `/merchants/${merchant.id}/export?resources=products`)
        get(url, { headers: authorize(merchant), agent: false }, resolve).once('error', reject)
      })
    const readRest = async (response: IncomingMessage): Promise<Answer> => {
      const { statusCode: status = 0, headers } = response
      const { bytes, text } = await readEnd(response)
      if (status !== 200) return readRefusal(status, headers['retry-after'])
      const isWhole = bytes > exportedProducts * exportedDescription.length && text.endsWith('}}}\n')
      return { status, isDone: () => isWhole && text.includes(`"end":{"counts":{"products":${exportedProducts + 1}`) }
    }
    return async () => {
      const responses = await Promise.all(share(readers, merchants, start))
      await setTimeout(stallMs)
      return Promise.all(responses.map(readRest))
    }
  },
}

const accepted = z.object({ rows: z.number() })

const sendImports: Case = {
  name: `${imports} imports with an Idempotency-Key`,
  begin(running, merchants) {
    const row = (n: number) => `Dish ${n},${n % 90},SKU-${n},ext-${n},${'x'.repeat(950)}\n`
    const rows = Array.from({ length: importedRows }, (_, n) => row(n)).join('')
    const body = new TextEncoder().encode(`title,price,sku,externalId,description\n${rows}`)
    const send = async (merchant: Merchant): Promise<Answer> => {
      const headers = { ...authorize(merchant), 'content-type': 'text/csv', 'idempotency-key': crypto.randomUUID() }
      const target = toUrl(running, `/merchants/${merchant.id}/imports?resource=products`)
      const response = await fetch(target, { method: 'POST', headers, body })
      const json = await response.json()
      if (response.status !== 202) return readRefusal(response.status, response.headers.get('retry-after'))
      return { status: response.status, isDone: () => accepted.parse(json).rows === importedRows }
    }
    return () => Promise.all(share(imports, merchants, send))
  },
}

export const cases: readonly Case[] = [sendForms, stallReaders, sendImports]
