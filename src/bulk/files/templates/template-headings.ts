import type { PageLanguage } from '../../../storefront/pages/messages.ts'
import type { HeadingField } from '../table/heading-words.ts'

/** Fields of the columns of each template, in their order. */
export const templateFields = {
  products: [
    ...(['title', 'description', 'category', 'size', 'price', 'sku', 'upc', 'taxRate'] as const),
    ...(['stockQuantity', 'visible', 'images'] as const),
  ],
  customers: ['firstName', 'lastName', 'email', 'phone'],
  tags: ['area', 'table'],
} as const satisfies Readonly<Record<string, readonly HeadingField[]>>

export const templateResources = ['products', 'customers', 'tags'] as const satisfies (keyof typeof templateFields)[]
type TemplateResource = (typeof templateResources)[number]

/** Headings of the columns of all templates, in the order of `templateFields`, and the words for yes and no. An import recognizes each of them. */
const words: Readonly<Record<PageLanguage, string>> = {
  en: 'Name|Description|Category|Size|Price|SKU|Barcode|Tax rate|Stock|Visible|Image|First name|Last name|Email|Phone|Area|Table|yes|no',
  de: 'Bezeichnung|Beschreibung|Kategorie|Größe|Preis|Artikelnummer|EAN|Steuersatz|Bestand|Sichtbar|Bild|Vorname|Nachname|E-Mail|Telefon|Bereich|Tisch|ja|nein',
  fr: 'Nom du produit|Description|Catégorie|Taille|Prix|Référence|Code-barres|Taux de TVA|Quantité|Disponible|Image|Prénom|Nom de famille|E-mail|Téléphone|Salle|Table|oui|non',
  es: 'Producto|Descripción|Categoría|Tamaño|Precio|Código|Código de barras|IVA|Existencias|Disponible|Imagen|Nombre de pila|Apellidos|Correo electrónico|Teléfono|Zona|Mesa|sí|no',
  it: 'Prodotto|Descrizione|Categoria|Misura|Prezzo|Codice|Codice a barre|Aliquota IVA|Giacenza|Disponibile|Immagine|Nome di battesimo|Cognome|E-mail|Telefono|Sala|Tavolo|sì|no',
  pt: 'Produto|Descrição|Categoria|Tamanho|Preço|Código|Código de barras|IVA|Quantidade|Disponível|Imagem|Primeiro nome|Apelido|E-mail|Telefone|Sala|Mesa|sim|não',
  nl: 'Productnaam|Omschrijving|Categorie|Maat|Prijs|Artikelcode|Streepjescode|Btw-tarief|Voorraad|Beschikbaar|Afbeelding|Voornaam|Achternaam|E-mail|Telefoonnummer|Ruimte|Tafel|ja|nee',
  pl: 'Nazwa produktu|Opis|Kategoria|Rozmiar|Cena|Symbol|Kod kreskowy|Stawka VAT|Ilość|Aktywny|Zdjęcie|Imię|Nazwisko|E-mail|Numer telefonu|Strefa|Stolik|tak|nie',
  cs: 'Název produktu|Popis|Skupina|Velikost|Cena|Kód|Čárový kód|Sazba DPH|Množství|Aktivní|Obrázek|Jméno|Příjmení|E-mail|Telefonní číslo|Zóna|Stůl|ano|ne',
  da: 'Varenavn|Beskrivelse|Kategori|Størrelse|Pris|Varenummer|Stregkode|Momssats|Lagerbeholdning|Tilgængelig|Billede|Fornavn|Efternavn|E-mail|Telefon|Område|Bord|ja|nej',
  sv: 'Artikelnamn|Beskrivning|Varugrupp|Storlek|Pris|Artnr|Streckkod|Momssats|Lagersaldo|Tillgänglig|Bild|Förnamn|Efternamn|E-post|Telefon|Område|Bord|ja|nej',
  fi: 'Tuotteen nimi|Kuvaus|Tuoteryhmä|Koko|Hinta|Tuotekoodi|Viivakoodi|ALV-kanta|Varasto|Saatavilla|Kuva|Etunimi|Sukunimi|Sähköposti|Puhelin|Alue|Pöytä|kyllä|ei',
  hu: 'Terméknév|Leírás|Kategória|Méret|Ár|Cikkszám|Vonalkód|Áfakulcs|Készlet|Elérhető|Kép|Keresztnév|Vezetéknév|Email cím|Telefonszám|Terem|Asztal|igen|nem',
  el: 'Προϊόν|Περιγραφή|Κατηγορία|Μέγεθος|Τιμή|Κωδικός προϊόντος|Γραμμωτός κώδικας|ΦΠΑ|Απόθεμα|Διαθέσιμο|Εικόνα|Όνομα πελάτη|Επώνυμο|E-mail|Τηλέφωνο|Περιοχή|Τραπέζι|ναι|όχι',
  tr: 'Ürün adı|Açıklama|Bölüm|Boyut|Fiyat|Ürün kodu|Barkod|KDV oranı|Stok|Aktif|Görsel|Adı|Soyadı|E-posta|Cep telefonu|Bölge|Masa|evet|hayır',
  ru: 'Название|Описание|Категория|Размер|Цена|Артикул|Штрихкод|Ставка НДС|Остаток|Доступен|Изображение|Имя|Фамилия|Эл. почта|Телефон|Зал|Стол|да|нет',
  uk: 'Назва|Опис|Категорія|Розмір|Ціна|Артикул|Штрихкод|Ставка ПДВ|Залишок|Доступний|Зображення|Імя|Прізвище|Електронна пошта|Телефон|Зона|Стіл|так|ні',
  ar: 'اسم المنتج|الوصف|الفئة|الحجم|السعر|رمز المنتج|الباركود|الضريبة|الكمية|متاح|صورة|الاسم الأول|اسم العائلة|البريد الإلكتروني|رقم الهاتف|المنطقة|طاولة|نعم|لا',
  he: 'שם המוצר|תיאור|קטגוריה|גודל|מחיר|מק"ט|ברקוד|מע"מ|מלאי|זמין|תמונה|שם פרטי|שם משפחה|אימייל|טלפון|אזור|שולחן|כן|לא',
  th: 'ชื่อสินค้า|รายละเอียด|หมวดหมู่|ขนาด|ราคา|รหัสสินค้า|บาร์โค้ด|ภาษี|จำนวน|ใช้งาน|รูปภาพ|ชื่อจริง|นามสกุล|อีเมล|เบอร์โทร|โซน|โต๊ะ|ใช่|ไม่',
  ja: '商品名|商品説明|カテゴリー|サイズ|価格|商品コード|JANコード|税率|在庫数|公開|画像|名|姓|メールアドレス|電話番号|エリア|テーブル|はい|いいえ',
  ko: '상품명|상품설명|카테고리|사이즈|가격|상품코드|바코드|세율|재고|표시|이미지|이름(성 제외)|성|이메일|전화번호|구역|테이블|예|아니요',
  'zh-Hans': '商品名称|描述|分类|规格|价格|商品编码|条形码|税率|库存|启用|图片|名|姓|邮箱|手机|区域|桌号|是|否',
  'zh-Hant': '商品名稱|說明|分類|規格|價格|商品編號|條碼|稅率|庫存|啟用|圖片|名|姓|電子郵件|電話號碼|區域|桌號|是|否',
}

const allFields = templateResources.flatMap((resource): readonly HeadingField[] => templateFields[resource])

/** The headings of a template. */
export function listTemplateHeadings(resource: TemplateResource, language: PageLanguage): string[] {
  const all = words[language].split('|')
  return templateFields[resource].map((field) => all[allFields.indexOf(field)] ?? field)
}

/** The words for yes and no, in this order. */
export const listAnswers = (language: PageLanguage): string[] => words[language].split('|').slice(allFields.length)
