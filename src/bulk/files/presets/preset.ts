/**
 * Columns of files that another system exports. A column becomes a field, or one of these: `key`, the id in the other system; `group`, equal in all variants of a product; `parent`, the SKU or
 * the id of the product of a variant; `kind`, the kind of a row; `axis` and `size`, name and value of an option; `category`; `modifier`, a flag
 * that links the modifier in the heading; `priceKind`, whether the price is that of a piece, that of a weight, or entered with each sale;
 * `priceUnit`, the unit of weight; `surcharge`, which a variant adds to the price of its product; `optionValue`, the value of the option in the heading; `axisKind`, how
 * guests choose an option; `variantSkus`, the SKUs of the variants of a product; `storeView`, the store in which the texts of a row are shown. Null: left out.
 */
export interface Preset {
  name: string
  /** Objects of the file. Default: products. */
  resource?: 'products' | 'coupons'
  /** Headings that a file of this shape has. Of each list one is enough. */
  marks: readonly (readonly string[])[]
  columns: Readonly<Record<string, string | null>>
  /** Headings with a name in them. `$1` is the name of a place, or of a modifier. */
  patterns?: readonly { form: RegExp; to: string }[]
  /** The kind of the amounts is known: a decimal point. */
  hasDecimalPoint?: boolean
}
