import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { resizedWidths } from '../../../src/storefront/media/picture-widths.ts'
import { pictures } from '../../support/pictures.ts'
import { createGreyPng } from '../../support/png.ts'
import { getBrowser } from '../browser.ts'
import { isLong } from '../rounds.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const toFile = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) })
const truncated = toFile('cut.png', pictures.png.subarray(0, pictures.png.length - 20))

/** Picks a picture of random pixels for the product that is edited. As PNG it has about 3 bytes a pixel. */
async function pickNoise(page: Page, type: string, width: number, height: number) {
  await page.getByLabel('Add a picture').waitFor()
  await page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height})
    const { data } = new ImageData(${width}, ${height})
    for (let start = 0; start < data.length; start += 65_536) crypto.getRandomValues(data.subarray(start, start + 65_536))
    for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255
    canvas.getContext('2d').putImageData(new ImageData(data, ${width}), 0, 0)
    const picked = new DataTransfer()
    picked.items.add(new File([await canvas.convertToBlob({ type: '${type}' })], 'noise', { type: '${type}' }))
    const input = document.querySelector('input[type=file]')
    input.files = picked.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })()`)
}

/** The first picture of a product: its widths, as its address says. */
async function readWidths(id: string): Promise<number[]> {
  const { images } = await owner.get(`/products/${id}`)
  return images[0].url.split('/i/')[1].split('-').slice(1).map(Number)
}

test('a picture is uploaded with the smaller files that the menu shows; an animation is uploaded as it is', async () => {
  const [{ id }, animated] = [
    await owner.post('/products', { title: 'Photo', price: 3 }),
    await owner.post('/products', { title: 'Animation', price: 3 }),
  ]
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    await pickNoise(page, 'image/jpeg', 1_300, 650)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await page.goto(`${owner.origin}/console/products/${animated.id}`)
    const file = toFile('moving.png', await createGreyPng(1_300, 60, { isAnimated: true, isNoisy: true }))
    await page.getByLabel('Add a picture').setInputFiles(file)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  })
  expect(await readWidths(id)).toEqual([1_300, ...resizedWidths])
  expect(await readWidths(animated.id)).toEqual([1_300])
  const { images } = await owner.get(`/products/${id}`)
  const small = await fetch(images[0].url.replace(/-.*/, '-176'))
  expect(small.headers.get('content-type')).toBe('image/jpeg')
  expect(Number(small.headers.get('content-length'))).toBeLessThan(50_000)
})

test.runIf(isLong)('a picture of more than 8 MiB is made smaller and uploaded', async () => {
  const { id } = await owner.post('/products', { title: 'Large', price: 3 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    await pickNoise(page, 'image/png', 2_600, 1_100)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  })
  expect(await readWidths(id)).toEqual([2_432, ...resizedWidths])
})

test('a picture that the service does not take says what to do', async () => {
  const { id } = await owner.post('/products', { title: 'Refused', price: 3 })
  const images = Array.from({ length: 20 }, (_, index) => ({ url: `https://images.example.com/${index}.png` }))
  const full = await owner.post('/products', { title: 'Full', price: 3, images })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const field = page.getByLabel('Add a picture')
    const says = (text: string) => page.getByRole('alert').getByText(text).waitFor()
    await field.setInputFiles(truncated)
    await says('This picture is damaged or incomplete. Choose another file, or open it and save it again as JPEG.')
    await field.setInputFiles(toFile('menu.pdf', Buffer.from('%PDF-1.7')))
    await says('This is not a picture in JPEG, PNG, WebP or AVIF. Save it as JPEG and choose that file.')
    await field.setInputFiles(toFile('film.mov', Buffer.alloc(9_000_000)))
    await says('This file is too large: a picture has at most 8 MB, a file to import 10 MB.')
    await page.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '' }),
    )
    await page.goto(`${owner.origin}/console/products/${full.id}`)
    await page.getByLabel('Add a picture').setInputFiles(toFile('one.png', pictures.png))
    await says('The maximum number of pictures is reached. Remove one first.')

    await page.goto(`${owner.origin}/console/products/new`)
    const form = page.getByRole('dialog', { name: 'New product' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Damaged')
    await form.getByRole('textbox', { name: 'Price' }).fill('3')
    await form.getByLabel('Add a picture').setInputFiles(truncated)
    await form.getByRole('button', { name: 'Save' }).click()
    await says('This picture is damaged or incomplete. Choose another file, or open it and save it again as JPEG.')
    // Without the picture, the form is saved.
    await form.getByRole('button', { name: 'Remove cut.png' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Damaged” is created.')
  })
})
