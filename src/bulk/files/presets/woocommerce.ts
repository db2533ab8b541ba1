import type { Preset } from './preset.ts'

/** Products of WooCommerce, whose headings are in the language of the shop. A row of the type `variation` names the SKU or the id of its product. */
export const woocommerce: Preset = {
  name: 'woocommerce',
  marks: [
    ['ID'],
    ['Type', 'Typ', 'Tipo', 'Тип'],
    ['Regular price', 'Regulärer Preis', 'Tarif régulier', 'Precio normal', 'Базовая цена'],
    ['Visibility in catalog', 'Is featured?', 'Published', 'Veröffentlicht', 'Publié', 'Publicado', 'Опубликован'],
  ],
  columns: {
    ...{ ID: 'key', Type: 'kind', SKU: 'sku', Name: 'title', Published: 'visible', 'Short description': 'summary' },
    ...{ Description: 'description', 'Tax status': 'taxable', Stock: 'stockQuantity', 'Regular price': 'price' },
    ...{ Categories: 'category', Images: 'images', Parent: 'parent', 'GTIN, UPC, EAN, or ISBN': 'upc' },
    ...{ Typ: 'kind', Artikelnummer: 'sku', 'GTIN, UPC, EAN oder ISBN': 'upc', Veröffentlicht: 'visible' },
    ...{ Kurzbeschreibung: 'summary', Beschreibung: 'description', Steuerstatus: 'taxable', Lager: 'stockQuantity' },
    ...{ Bestand: 'stockQuantity', 'Regulärer Preis': 'price', Kategorien: 'category' },
    ...{ Bilder: 'images', 'Übergeordnetes Produkt': 'parent' },
    ...{ UGS: 'sku', Nom: 'title', Publié: 'visible', 'Description courte': 'summary', 'État de la TVA': 'taxable' },
    ...{ 'Tarif régulier': 'price', Catégories: 'category' },
    ...{ Tipo: 'kind', Nombre: 'title', Publicado: 'visible', 'Descripción corta': 'summary' },
    ...{
      Descripción: 'description',
      'Estado del impuesto': 'taxable',
      Inventario: 'stockQuantity',
      Superior: 'parent',
    },
    ...{ 'Precio normal': 'price', Categorías: 'category', Imágenes: 'images' },
    ...{ Тип: 'kind', Артикул: 'sku', Имя: 'title', Опубликован: 'visible', 'Короткое описание': 'summary' },
    ...{ Описание: 'description', 'Базовая цена': 'price', Категории: 'category', Изображения: 'images' },
  },
  patterns: [
    { form: /^(?=\D*(\d+))(?:Attribute? \d+ name|Nom de l['’]attribut \d+|Nombre del atributo \d+)$/i, to: 'axis' },
    {
      form: /^(?=\D*(\d+))(?:Attribute? \d+ (?:value|Wert)\((?:s|e)\)|Valeur\(s\) de l['’]attribut \d+|Valor\(es\) del atributo \d+)$/i,
      to: 'size',
    },
  ],
}
