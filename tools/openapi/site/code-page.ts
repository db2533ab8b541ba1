import { html } from 'hono/html'
import { getMessages } from '../../../src/storefront/pages/languages/messages-by-language.ts'
import { getDirection } from '../../../src/storefront/pages/locale.ts'
import type { PageLanguage } from '../../../src/storefront/pages/messages.ts'
import { renderPage } from '../../../src/storefront/pages/page.ts'

/** Texts of the button. */
const buttons: Readonly<Record<PageLanguage, string>> = {
  en: 'Open the menu',
  de: 'Karte öffnen',
  fr: 'Ouvrir la carte',
  es: 'Abrir la carta',
  it: 'Apri il menu',
  pt: 'Abrir o menu',
  nl: 'Menu openen',
  pl: 'Otwórz menu',
  cs: 'Otevřít jídelní lístek',
  da: 'Åbn menuen',
  sv: 'Öppna menyn',
  fi: 'Avaa ruokalista',
  hu: 'Étlap megnyitása',
  el: 'Άνοιγμα του μενού',
  tr: 'Menüyü aç',
  ru: 'Открыть меню',
  uk: 'Відкрити меню',
  ar: 'افتح القائمة',
  he: 'פתיחת התפריט',
  th: 'เปิดเมนู',
  ja: 'メニューを開く',
  ko: '메뉴 열기',
  'zh-Hans': '打开菜单',
  'zh-Hant': '開啟菜單',
}

/** The page on which a guest types the code of a table. Codes run from left to right in every language. */
export async function renderCodePage(language: PageLanguage): Promise<string> {
  const { typeCode } = getMessages(language)
  const body = html`<main class="say"><form action="/t"><h1><label for="code">${typeCode}</label></h1><p><input id="code" name="code" dir="ltr" maxlength="64" required autofocus autocapitalize="characters" autocomplete="off" autocorrect="off" spellcheck="false" enterkeyhint="go" placeholder="7KQ2-M5XZ-8CE4-FA9R"></p><button>${buttons[language]}</button></form></main>`
  return String(
    await renderPage({
      language,
      direction: getDirection(language),
      title: typeCode,
      head: html`<meta name="description" content="${typeCode}">`,
      body,
    }),
  )
}
