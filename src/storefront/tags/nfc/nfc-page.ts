import { html } from 'hono/html'
import { groupCode } from '../../../platform/lib/tag-code.ts'
import { getDirection } from '../../pages/locale.ts'
import type { PageLanguage } from '../../pages/messages.ts'
import type { HtmlPage } from '../../pages/page.ts'
import type { StaffMessages } from '../../pages/staff/staff-text-shape.ts'

/**
 * Runs on the phone: writes the URL, reads it back, shows the result. Locks the chip after two questions. Each question accepts an answer only after
 * a second, so that a double tap does not lock the chip.
 */
const nfcScript = `
const main = document.querySelector('main')
const messages = JSON.parse(main.dataset.messages)
const [write, lock, cancel] = main.querySelectorAll('button')
const status = document.querySelector('[role=status]')
const say = (text) => { status.textContent = text }
const steps = [['', messages.lock], [messages.lockAsk, messages.lockContinue], [messages.lockAskAgain, messages.lockConfirm]]
let step = 0
let pause
const ask = (next) => {
  clearTimeout(pause)
  step = next
  lock.textContent = steps[step][1]
  cancel.hidden = step === 0
  say(steps[step][0])
  lock.disabled = step > 0
  if (step === 0) return
  cancel.focus()
  pause = setTimeout(() => { lock.disabled = false }, 1000)
}
const attempt = async (work) => {
  write.disabled = lock.disabled = true
  try {
    say(messages.hold)
    say(await work(new NDEFReader()))
  } catch (error) {
    say(messages.failed.replace('{reason}', () => error.message))
  }
  write.disabled = lock.disabled = false
}
const read = (chip) => new Promise((resolve, reject) => {
  const stop = new AbortController()
  chip.onreading = ({ message }) => resolve(message.records)
  chip.onreadingerror = () => reject(new Error(messages.unreadable))
  chip.scan({ signal: stop.signal }).catch(reject)
  chip.stop = () => stop.abort()
}).finally(() => chip.stop())
write.onclick = () => attempt(async (chip) => {
  const { url } = write.dataset
  ask(0)
  lock.hidden = true
  say(messages.hold)
  await chip.write({ records: [{ recordType: 'url', data: url }] })
  say(messages.written)
  const records = await read(chip)
  lock.hidden = !records.some(({ data }) => new TextDecoder().decode(data) === url)
  return lock.hidden ? messages.otherAddress : messages.done
})
lock.onclick = () => {
  if (step < 2) return ask(step + 1)
  ask(0)
  return attempt(async (chip) => {
    await chip.makeReadOnly()
    lock.hidden = true
    return messages.locked
  })
}
cancel.onclick = () => ask(0)
if (!('NDEFReader' in window)) {
  write.disabled = true
  say(messages.unsupported)
}`.replace(/\n */g, '\n')

/** The messages that the script shows. */
const toScriptMessages = ({
  hold,
  written,
  otherAddress,
  done,
  lock,
  lockAsk,
  lockContinue,
  lockAskAgain,
  lockConfirm,
  locked,
  failed,
  unreadable,
  unsupported,
}: StaffMessages) =>
  JSON.stringify({
    ...{ hold, written, otherAddress, done, failed, unreadable, unsupported },
    ...{ lock, lockAsk, lockContinue, lockAskAgain, lockConfirm, locked },
  })

/** Contents of the page: the tag, the URL to write, and the venue if its name could be read. */
interface NfcPage {
  language: PageLanguage
  messages: StaffMessages
  /** Empty if the tag has no visible label. */
  label: string
  code: string
  url: string
  venueName: string | undefined
}

/** Renders the page that writes a chip. */
export function renderNfcPage({ language, messages, label, code, url, venueName }: NfcPage): HtmlPage {
  const title = label === '' ? groupCode(code) : label
  const heading = `${messages.write}: ${title}`
  return {
    language,
    direction: getDirection(language),
    title: heading,
    head: html`<meta name="description" content="${heading}">`,
    body: html`<main class="say" data-messages="${toScriptMessages(messages)}"><h1><bdi lang="">${title}</bdi></h1>${venueName !== undefined && html`<p><bdi lang="">${venueName}</bdi></p>`}<p>${groupCode(code)}</p><p><button data-url="${url}">${messages.write}</button></p><p role="status"></p><p><button class="plain" hidden>${messages.lock}</button> <button class="plain" hidden>${messages.cancel}</button></p><noscript><p>${messages.needsScript}</p></noscript></main>`,
    script: nfcScript,
  }
}
