import { html } from 'hono/html'
import { getDirection } from '../../pages/locale.ts'
import type { PageLanguage } from '../../pages/messages.ts'
import { renderPage } from '../../pages/page.ts'

/** Texts of the form and its button. */
const texts: Readonly<Record<PageLanguage, readonly [request: string, button: string]>> = {
  en: ['Type the code on your table', 'Open the menu'],
  de: ['Geben Sie den Code auf Ihrem Tisch ein', 'Karte öffnen'],
  fr: ['Saisissez le code indiqué sur votre table', 'Ouvrir la carte'],
  es: ['Escriba el código de su mesa', 'Abrir la carta'],
  it: ['Digiti il codice sul tavolo', 'Apri il menu'],
  pt: ['Escreva o código que está na sua mesa', 'Abrir o menu'],
  nl: ['Typ de code op uw tafel', 'Menu openen'],
  pl: ['Wpisz kod ze stolika', 'Otwórz menu'],
  cs: ['Zadejte kód ze svého stolu', 'Otevřít jídelní lístek'],
  da: ['Indtast koden på dit bord', 'Åbn menuen'],
  sv: ['Skriv in koden på ditt bord', 'Öppna menyn'],
  fi: ['Kirjoita pöydässäsi oleva koodi', 'Avaa ruokalista'],
  hu: ['Írja be az asztalán lévő kódot', 'Étlap megnyitása'],
  el: ['Πληκτρολογήστε τον κωδικό στο τραπέζι σας', 'Άνοιγμα του μενού'],
  tr: ['Masanızdaki kodu yazın', 'Menüyü aç'],
  ru: ['Введите код с вашего стола', 'Открыть меню'],
  uk: ['Введіть код зі свого столика', 'Відкрити меню'],
  ar: ['اكتب الرمز الموجود على طاولتك', 'افتح القائمة'],
  he: ['הקלידו את הקוד שעל השולחן', 'פתיחת התפריט'],
  th: ['พิมพ์รหัสที่อยู่บนโต๊ะของคุณ', 'เปิดเมนู'],
  ja: ['テーブルのコードを入力してください', 'メニューを開く'],
  ko: ['테이블에 있는 코드를 입력하세요', '메뉴 열기'],
  'zh-Hans': ['请输入餐桌上的代码', '打开菜单'],
  'zh-Hant': ['請輸入餐桌上的代碼', '開啟菜單'],
}

/** The page on which a guest types the code of a table. Codes are written from left to right in every language. */
export async function renderCodePage(language: PageLanguage): Promise<string> {
  const [request, button] = texts[language]
  const body = html`<main class="say"><form action="/t"><h1><label for="code">${request}</label></h1><p><input id="code" name="code" dir="ltr" maxlength="64" required autofocus autocapitalize="characters" autocomplete="off" autocorrect="off" spellcheck="false" enterkeyhint="go" placeholder="7KQ2-M5XZ-8CE4-FA9R"></p><button>${button}</button></form></main>`
  return String(
    await renderPage({
      language,
      direction: getDirection(language),
      title: request,
      head: html`<meta name="description" content="${request}">`,
      body,
    }),
  )
}
