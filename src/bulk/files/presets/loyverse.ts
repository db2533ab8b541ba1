import type { Preset } from './preset.ts'

/** Items of Loyverse, whose headings are in the language of the account. Prices, stock and availability are columns of a place. */
export const loyverse: Preset = {
  name: 'loyverse',
  marks: [
    ['Handle', 'Identificador'],
    ['SKU', 'REF'],
    ['Name', 'Nombre', 'Nom', 'Nome'],
    ['Sold by weight', 'Vendido por peso', 'Vendu au poids', 'Venduto a peso'],
  ],
  columns: {
    ...{
      Handle: 'group',
      Identificador: 'group',
      SKU: 'code',
      REF: 'code',
      Name: 'title',
      Nombre: 'title',
      Nom: 'title',
      Nome: 'title',
    },
    ...{ Category: 'category', Categoria: 'category', Categoría: 'category', Catégorie: 'category' },
    ...{ Description: 'description', Descripción: 'description', Descrizione: 'description' },
    ...{ 'Option 1 name': 'axis', 'Option 1 value': 'size', 'Option 2 name': 'axis', 'Option 2 value': 'size' },
    ...{ 'Option 3 name': 'axis', 'Option 3 value': 'size', 'Opción 1 nombre': 'axis', 'Opción 1 valor': 'size' },
    ...{ 'Opción 2 nombre': 'axis', 'Opción 2 valor': 'size', 'Opción 3 nombre': 'axis', 'Opción 3 valor': 'size' },
    ...{ Barcode: 'upc', 'Codigo de barras': 'upc', 'Código de barras': 'upc', 'Track stock': 'manageStock' },
    ...{ 'Seguir el Inventario': 'manageStock' },
    ...{ 'Sold by weight': 'priceKind', 'Vendido por peso': 'priceKind', 'Vendu au poids': 'priceKind' },
    ...{ 'Venduto a peso': 'priceKind', 'Default price': 'price' },
  },
  patterns: [
    { form: /^(?:Available for sale|Disponibles? para la venta) \[(.+)\]$/, to: 'visible' },
    { form: /^(?:Price|Precio|Prix|Prezzo) \[(.+)\]$/, to: 'price' },
    { form: /^(?:In stock|En inventario|En stock|In magazzino) \[(.+)\]$/, to: 'stockQuantity' },
    { form: /^Modifier - "(.+)"$/, to: 'modifier' },
  ],
}
