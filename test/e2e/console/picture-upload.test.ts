import { expect, test } from 'vitest'
import { pictures } from '../../support/pictures.ts'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const toFile = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) })
const truncated = toFile('cut.png', pictures.png.subarray(0, pictures.png.length - 20))

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
    await says('There are as many pictures as possible. Remove one first.')

    await page.goto(`${owner.origin}/console/products/new`)
    const form = page.getByRole('dialog', { name: 'New product' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Damaged')
    await form.getByRole('textbox', { name: 'Price' }).fill('3')
    await form.getByLabel('Add a picture').setInputFiles(truncated)
    await form.getByRole('button', { name: 'Save' }).click()
    await says('This picture is damaged or incomplete. Choose another file, or open it and save it again as JPEG.')
    // What can be stored is stored: without the picture, the form is saved.
    await form.getByRole('button', { name: 'Remove cut.png' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Damaged” is saved.')
  })
})
