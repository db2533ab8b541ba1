import { fallbackLanguage, type PageLanguage, toPageLanguage } from '../../../storefront/pages/messages.ts'

const titles: Readonly<Record<PageLanguage, string>> = {
  ...{ en: 'Menu', de: 'Speisekarte', fr: 'Carte', es: 'Carta', it: 'Menù', pt: 'Ementa', nl: 'Menukaart' },
  ...{ pl: 'Menu', cs: 'Jídelní lístek', da: 'Menukort', sv: 'Meny', fi: 'Ruokalista', hu: 'Étlap', el: 'Μενού' },
  ...{ tr: 'Menü', ru: 'Меню', uk: 'Меню', ar: 'قائمة الطعام', he: 'תפריט', th: 'เมนู', ja: 'メニュー', ko: '메뉴' },
  ...{ 'zh-Hans': '菜单', 'zh-Hant': '菜單' },
}

/** Title of the menu of a file that names none, in the language of the venue. */
export const getMenuTitle = (language: string | undefined): string =>
  titles[(language === undefined ? undefined : toPageLanguage(language)) ?? fallbackLanguage]
