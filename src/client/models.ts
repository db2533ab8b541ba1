// Made by `npm run models` from the declarations of the routes.

export interface ProductCreate {
  /** Name of the product. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Price of one unit in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  price: number | string
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether customers can see the product. Default: `true`. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether the product is subject to tax. Default: `true`. */
  taxable?: boolean | 0 | 1 | null | undefined
  /** Whether `taxRate` replaces the tax rate of the venue. Default: `false`. */
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** Tax rate of the product in percent. 0–100. */
  taxRate?: number | string | null | undefined
  /** Energy of one unit in kilocalories. Integer, 0 or more. */
  calories?: number | string | null | undefined
  /** Whether `stockQuantity` applies. If `true`, a product without stock is sold out. Default: `false`. */
  manageStock?: boolean | 0 | 1 | null | undefined
  /** Number of units in stock. Negative if oversold. Up to 4 decimal places. */
  stockQuantity?: number | string | null | undefined
  /** Kind of product. Always `SIMPLE`. Default: `"SIMPLE"`. */
  type?: "SIMPLE" | null | undefined
  /** Bar code of the product: UPC, EAN or GTIN. 1–64 characters after removal of leading and trailing white space. */
  upc?: string | null | undefined
  /** Stock keeping unit of the product. 1–64 characters after removal of leading and trailing white space. */
  sku?: string | null | undefined
  /** Pictures of the product, in display order. Up to 20 elements. Default: `[]`. */
  images?: Array<{
    /** HTTP or HTTPS address of the picture. 1–2,048 characters. */
    url: string
  }> | null | undefined
  /** Key-value pairs for integrations. The service does not interpret them. Up to 50 elements. Default: `[]`. */
  metadata?: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
  }> | null | undefined
  /** Ids of the modifiers of the product, in display order. Up to 50 elements without duplicates. Default: `[]`. */
  modifiers?: Array<string | {
    /** Id of a modifier. 1–64 characters. */
    id: string
  }> | null | undefined
  /** Accepted for compatibility. Not stored. */
  image?: boolean | 0 | 1 | null | undefined
}

export interface ProductUpdate {
  /** Name of the product. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** Price of one unit in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  price?: number | string | undefined
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether customers can see the product. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether the product is subject to tax. */
  taxable?: boolean | 0 | 1 | null | undefined
  /** Whether `taxRate` replaces the tax rate of the venue. */
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** Tax rate of the product in percent. 0–100. */
  taxRate?: number | string | null | undefined
  /** Energy of one unit in kilocalories. Integer, 0 or more. */
  calories?: number | string | null | undefined
  /** Whether `stockQuantity` applies. If `true`, a product without stock is sold out. */
  manageStock?: boolean | 0 | 1 | null | undefined
  /** Number of units in stock. Negative if oversold. Up to 4 decimal places. */
  stockQuantity?: number | string | null | undefined
  /** Kind of product. Always `SIMPLE`. */
  type?: "SIMPLE" | null | undefined
  /** Bar code of the product: UPC, EAN or GTIN. 1–64 characters after removal of leading and trailing white space. */
  upc?: string | null | undefined
  /** Stock keeping unit of the product. 1–64 characters after removal of leading and trailing white space. */
  sku?: string | null | undefined
  /** Pictures of the product, in display order. Up to 20 elements. */
  images?: Array<{
    /** HTTP or HTTPS address of the picture. 1–2,048 characters. */
    url: string
  }> | null | undefined
  /** Key-value pairs for integrations. The service does not interpret them. Up to 50 elements. */
  metadata?: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
  }> | null | undefined
  /** Ids of the modifiers of the product, in display order. Up to 50 elements without duplicates. */
  modifiers?: Array<string | {
    /** Id of a modifier. 1–64 characters. */
    id: string
  }> | null | undefined
}

/** A product that the merchant sells. */
export interface Product {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the product. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Price of one unit in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  price: number
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string
  /** Whether customers can see the product. */
  visible: boolean
  /** Whether the product is subject to tax. */
  taxable: boolean
  /** Whether `taxRate` replaces the tax rate of the venue. */
  useCustomTaxRate: boolean
  /** Tax rate of the product in percent. 0–100. */
  taxRate?: number
  /** Energy of one unit in kilocalories. Integer, 0 or more. */
  calories?: number
  /** Whether `stockQuantity` applies. If `true`, a product without stock is sold out. */
  manageStock: boolean
  /** Number of units in stock. Negative if oversold. Up to 4 decimal places. */
  stockQuantity?: number
  /** Kind of product. Always `SIMPLE`. */
  type: "SIMPLE"
  /** Bar code of the product: UPC, EAN or GTIN. 1–64 characters after removal of leading and trailing white space. */
  upc?: string
  /** Stock keeping unit of the product. 1–64 characters after removal of leading and trailing white space. */
  sku?: string
  /** Pictures of the product, in display order. Up to 20 elements. */
  images: Array<{
    /** HTTP or HTTPS address of the picture. 1–2,048 characters. */
    url: string
  }>
  /** Key-value pairs for integrations. The service does not interpret them. Up to 50 elements. */
  metadata: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
  }>
  /** Ids of the modifiers of the product, in display order. Up to 50 elements without duplicates. */
  modifiers: Array<string>
}

export interface ModifierCreate {
  /** Name of the modifier. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Instructions for the customer. Can be empty. Up to 5,000 characters. */
  instructions: string
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** How many options the customer can choose. `CHECKBOX`: several. `RADIO`: one. Default: `"CHECKBOX"`. */
  type?: "CHECKBOX" | "RADIO" | null | undefined
  /** Rules for choosing options. Default: `{}`. */
  rules?: {
    /** Whether the customer must choose an option. */
    required?: boolean | 0 | 1 | null | undefined
    /** Whether the customer can choose several options. Cannot be `true` for `RADIO`. */
    allowedMultiple?: boolean | 0 | 1 | null | undefined
    /** Number of options that the customer can choose. 0 or absent: any number. Integer, 0 or more. */
    selectRestriction?: number | string | null | undefined
    /** Whether the customer must choose exactly `selectRestriction` options. */
    requireSelectRestriction?: boolean | 0 | 1 | null | undefined
    /** Whether the customer can choose an option more than once. */
    enableOptionQuantity?: boolean | 0 | 1 | null | undefined
  } | null | undefined
  /** Options that the customer can choose, in display order. Up to 250 elements. Default: `[]`. */
  options?: Array<{
    /** Id of the option, unique in the modifier. Default: an id that the service generates. 1–64 characters. */
    id?: string | null | undefined
    /** Name of the option. Up to 255 characters after removal of leading and trailing white space. */
    label?: string | null | undefined
    /** Amount added to the price, in the merchant's currency. A negative amount lowers the price. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
    additionalCost?: number | string | null | undefined
    /** Energy that the option adds, in kilocalories. Integer, 0 or more. */
    additionalCalories?: number | string | null | undefined
    /** Whether the option is selected initially. */
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

export interface ModifierUpdate {
  /** Name of the modifier. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** Instructions for the customer. Can be empty. Up to 5,000 characters. */
  instructions?: string | undefined
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** How many options the customer can choose. `CHECKBOX`: several. `RADIO`: one. */
  type?: "CHECKBOX" | "RADIO" | null | undefined
  /** Rules for choosing options. */
  rules?: {
    /** Whether the customer must choose an option. */
    required?: boolean | 0 | 1 | null | undefined
    /** Whether the customer can choose several options. Cannot be `true` for `RADIO`. */
    allowedMultiple?: boolean | 0 | 1 | null | undefined
    /** Number of options that the customer can choose. 0 or absent: any number. Integer, 0 or more. */
    selectRestriction?: number | string | null | undefined
    /** Whether the customer must choose exactly `selectRestriction` options. */
    requireSelectRestriction?: boolean | 0 | 1 | null | undefined
    /** Whether the customer can choose an option more than once. */
    enableOptionQuantity?: boolean | 0 | 1 | null | undefined
  } | null | undefined
  /** Options that the customer can choose, in display order. Up to 250 elements. */
  options?: Array<{
    /** Id of the option, unique in the modifier. Default: an id that the service generates. 1–64 characters. */
    id?: string | null | undefined
    /** Name of the option. Up to 255 characters after removal of leading and trailing white space. */
    label?: string | null | undefined
    /** Amount added to the price, in the merchant's currency. A negative amount lowers the price. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
    additionalCost?: number | string | null | undefined
    /** Energy that the option adds, in kilocalories. Integer, 0 or more. */
    additionalCalories?: number | string | null | undefined
    /** Whether the option is selected initially. */
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

/** A set of options that customers can choose for a product. */
export interface Modifier {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the modifier. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Instructions for the customer. Can be empty. Up to 5,000 characters. */
  instructions: string
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string
  /** How many options the customer can choose. `CHECKBOX`: several. `RADIO`: one. */
  type: "CHECKBOX" | "RADIO"
  /** Rules for choosing options. */
  rules: {
    /** Whether the customer must choose an option. */
    required?: boolean
    /** Whether the customer can choose several options. Cannot be `true` for `RADIO`. */
    allowedMultiple?: boolean
    /** Number of options that the customer can choose. 0 or absent: any number. Integer, 0 or more. */
    selectRestriction?: number
    /** Whether the customer must choose exactly `selectRestriction` options. */
    requireSelectRestriction?: boolean
    /** Whether the customer can choose an option more than once. */
    enableOptionQuantity?: boolean
  }
  /** Options that the customer can choose, in display order. Up to 250 elements. */
  options: Array<{
    /** Id of the option, unique in the modifier. Default: an id that the service generates. 1–64 characters. */
    id: string
    /** Name of the option. Up to 255 characters after removal of leading and trailing white space. */
    label?: string
    /** Amount added to the price, in the merchant's currency. A negative amount lowers the price. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
    additionalCost?: number
    /** Energy that the option adds, in kilocalories. Integer, 0 or more. */
    additionalCalories?: number
    /** Whether the option is selected initially. */
    preSelected?: boolean
  }>
}

export interface MenuCreate {
  /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether customers see a navigation between the sections. Default: `true`. */
  showSectionNavigation?: boolean | 0 | 1 | null | undefined
  /** Inverse of `showSectionNavigation`. Not stored. */
  hideCategoryNavigation?: boolean | 0 | 1 | null | undefined
  /** Whether customers can see the menu. Default: `true`. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether the menu is available at any time. Becomes `false` if `begin` and `end` are set without it. Default: `true`. */
  allDayMenu?: boolean | 0 | 1 | null | undefined
  /** Time when the menu begins, in the venue's time zone: `HHMM`, `0000` to `2359`. Requires `end`. */
  begin?: string | null | undefined
  /** Time when the menu ends: `HHMM`, up to `2400`. A time before `begin` is on the next day. */
  end?: string | null | undefined
  /** Pictures of the menu. Default: `{}`. */
  branding?: {
    /** HTTP or HTTPS address of the wide picture at the top, or `false` for none. 1–2,048 characters. */
    banner?: false | string | null | undefined
    /** HTTP or HTTPS address of the small picture, or `false` for none. 1–2,048 characters. */
    icon?: false | string | null | undefined
  } | null | undefined
  /** Sections in display order. All sections together have up to 5,000 items. Up to 200 elements. Default: `[]`. */
  sections?: Array<{
    /** Id of the section, generated by the service. An update can send the id of an existing section. 1–64 characters. */
    id?: string | null | undefined
    /** Name of the section. Up to 255 characters after removal of leading and trailing white space. */
    title?: string | null | undefined
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string | null | undefined
    /** Layout of the section. Always `LIST`. */
    type?: "LIST" | null | undefined
    /** Ids of the products in the section, in display order. Up to 5,000 elements without duplicates. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

export interface MenuUpdate {
  /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether customers see a navigation between the sections. */
  showSectionNavigation?: boolean | 0 | 1 | null | undefined
  /** Inverse of `showSectionNavigation`. Not stored. */
  hideCategoryNavigation?: boolean | 0 | 1 | null | undefined
  /** Whether customers can see the menu. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether the menu is available at any time. Becomes `false` if `begin` and `end` are set without it. */
  allDayMenu?: boolean | 0 | 1 | null | undefined
  /** Time when the menu begins, in the venue's time zone: `HHMM`, `0000` to `2359`. Requires `end`. */
  begin?: string | null | undefined
  /** Time when the menu ends: `HHMM`, up to `2400`. A time before `begin` is on the next day. */
  end?: string | null | undefined
  /** Pictures of the menu. */
  branding?: {
    /** HTTP or HTTPS address of the wide picture at the top, or `false` for none. 1–2,048 characters. */
    banner?: false | string | null | undefined
    /** HTTP or HTTPS address of the small picture, or `false` for none. 1–2,048 characters. */
    icon?: false | string | null | undefined
  } | null | undefined
  /** Sections in display order. All sections together have up to 5,000 items. Up to 200 elements. */
  sections?: Array<{
    /** Id of the section, generated by the service. An update can send the id of an existing section. 1–64 characters. */
    id?: string | null | undefined
    /** Name of the section. Up to 255 characters after removal of leading and trailing white space. */
    title?: string | null | undefined
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string | null | undefined
    /** Layout of the section. Always `LIST`. */
    type?: "LIST" | null | undefined
    /** Ids of the products in the section, in display order. Up to 5,000 elements without duplicates. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

/** Products that customers can order, arranged in sections and optionally limited to a time window. */
export interface Menu {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
  description?: string
  /** Whether customers see a navigation between the sections. */
  showSectionNavigation: boolean
  /** Whether customers can see the menu. */
  visible: boolean
  /** Whether the menu is available at any time. Becomes `false` if `begin` and `end` are set without it. */
  allDayMenu: boolean
  /** Time when the menu begins, in the venue's time zone: `HHMM`, `0000` to `2359`. Requires `end`. */
  begin?: string
  /** Time when the menu ends: `HHMM`, up to `2400`. A time before `begin` is on the next day. */
  end?: string
  /** Pictures of the menu. */
  branding: {
    /** HTTP or HTTPS address of the wide picture at the top, or `false` for none. 1–2,048 characters. */
    banner?: false | string
    /** HTTP or HTTPS address of the small picture, or `false` for none. 1–2,048 characters. */
    icon?: false | string
  }
  /** Sections in display order. All sections together have up to 5,000 items. Up to 200 elements. */
  sections: Array<{
    /** Id of the section, generated by the service. An update can send the id of an existing section. 1–64 characters. */
    id: string
    /** Name of the section. Up to 255 characters after removal of leading and trailing white space. */
    title?: string
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string
    /** Layout of the section. Always `LIST`. */
    type: "LIST"
    /** Ids of the products in the section, in display order. Up to 5,000 elements without duplicates. */
    items: Array<string>
  }>
}

export interface CouponCreate {
  /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
  code: string
  /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
  type: "PERCENTAGE" | "FIXED"
  /** Discount: more than 0, and at most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
  value: number | string
  /** Text about the coupon. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether the coupon can be redeemed. Default: `true`. */
  active?: boolean | 0 | 1 | null | undefined
  /** Minimum total of an order, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether the coupon cannot be combined with other coupons. Default: `false`. */
  individualUse?: boolean | 0 | 1 | null | undefined
  /** Number of times that the coupon was redeemed. Integer, 0 or more. Default: `0`. */
  timesRedeemed?: number | string | null | undefined
  /** Whether the coupon applies to all products. Becomes `false` if `products` is set without it. Default: `true`. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** Ids of the products that the coupon applies to. Up to 1,000 elements without duplicates. Default: `[]`. */
  products?: Array<string> | null | undefined
}

export interface CouponUpdate {
  /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
  code?: string | undefined
  /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
  type?: "PERCENTAGE" | "FIXED" | undefined
  /** Discount: more than 0, and at most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
  value?: number | string | undefined
  /** Text about the coupon. Stored exactly as sent. Up to 5,000 characters. */
  description?: string | null | undefined
  /** Whether the coupon can be redeemed. */
  active?: boolean | 0 | 1 | null | undefined
  /** Minimum total of an order, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether the coupon cannot be combined with other coupons. */
  individualUse?: boolean | 0 | 1 | null | undefined
  /** Number of times that the coupon was redeemed. Integer, 0 or more. */
  timesRedeemed?: number | string | null | undefined
  /** Whether the coupon applies to all products. Becomes `false` if `products` is set without it. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** Ids of the products that the coupon applies to. Up to 1,000 elements without duplicates. */
  products?: Array<string> | null | undefined
}

/** A discount that can be applied to orders. */
export interface Coupon {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
  code: string
  /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
  type: "PERCENTAGE" | "FIXED"
  /** Discount: more than 0, and at most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
  value: number
  /** Text about the coupon. Stored exactly as sent. Up to 5,000 characters. */
  description?: string
  /** Whether the coupon can be redeemed. */
  active: boolean
  /** Minimum total of an order, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
  minimumOrderAmount?: number
  /** Whether the coupon cannot be combined with other coupons. */
  individualUse: boolean
  /** Number of times that the coupon was redeemed. Integer, 0 or more. */
  timesRedeemed: number
  /** Whether the coupon applies to all products. Becomes `false` if `products` is set without it. */
  applyToAllProducts: boolean
  /** Ids of the products that the coupon applies to. Up to 1,000 elements without duplicates. */
  products: Array<string>
}

export interface CustomerCreate {
  /** Given name. 1–255 characters after removal of leading and trailing white space. */
  firstName: string
  /** Family name. 1–255 characters after removal of leading and trailing white space. */
  lastName: string
  /** Email address. Can contain non-Latin letters. 1–320 characters after removal of leading and trailing white space. */
  email?: string | null | undefined
  /** Phone number: digits, spaces, `+ - ( ) .` and an extension after `x`. 1–32 characters after removal of leading and trailing white space. */
  phone?: string | null | undefined
}

export interface CustomerUpdate {
  /** Given name. 1–255 characters after removal of leading and trailing white space. */
  firstName?: string | undefined
  /** Family name. 1–255 characters after removal of leading and trailing white space. */
  lastName?: string | undefined
  /** Email address. Can contain non-Latin letters. 1–320 characters after removal of leading and trailing white space. */
  email?: string | null | undefined
  /** Phone number: digits, spaces, `+ - ( ) .` and an extension after `x`. 1–32 characters after removal of leading and trailing white space. */
  phone?: string | null | undefined
}

/** A person who orders from the venue. */
export interface Customer {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Given name. 1–255 characters after removal of leading and trailing white space. */
  firstName: string
  /** Family name. 1–255 characters after removal of leading and trailing white space. */
  lastName: string
  /** Email address. Can contain non-Latin letters. 1–320 characters after removal of leading and trailing white space. */
  email?: string
  /** Phone number: digits, spaces, `+ - ( ) .` and an extension after `x`. 1–32 characters after removal of leading and trailing white space. */
  phone?: string
}

export interface TagCreate {
  /** Whether the tag has been activated through NFC. The first tap by a guest sets it. Default: `false`. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** Key-value pairs that identify the location, such as a table number. Up to 50 elements. Default: `[]`. */
  metadata?: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
    /** Whether customers can see the entry. Default: `true`. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag belongs to test mode and leads to the sandbox. Default: the mode of the API key. */
  testMode?: boolean | 0 | 1 | null | undefined
}

export interface TagUpdate {
  /** Whether the tag has been activated through NFC. The first tap by a guest sets it. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** Key-value pairs that identify the location, such as a table number. Up to 50 elements. */
  metadata?: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
    /** Whether customers can see the entry. Default: `true`. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag belongs to test mode and leads to the sandbox. Default: the mode of the API key. */
  testMode?: boolean | 0 | 1 | null | undefined
}

/** A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC. */
export interface Tag {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt?: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. The first tap by a guest sets it. */
  nfc: boolean
  /** Key-value pairs that identify the location, such as a table number. Up to 50 elements. */
  metadata: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
    /** Whether customers can see the entry. Default: `true`. */
    visible: boolean
  }>
  /** Value from an earlier system, unchanged. Set by the service. */
  message?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  documentCollection?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  documentId?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  edited?: boolean
  /** Value from an earlier system, unchanged. Set by the service. */
  qr?: boolean
  /** Time of creation in an earlier system. Replaces `createdAt`. Set by the service. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. */
    _seconds: number
    /** Nanoseconds within the second. */
    _nanoseconds: number
  }
  /** Codes of the tag. The first code is the printed one. Set by the service. */
  alias: Array<string>
  /** Address that a scan opens. Absent if the service has no public address. Set by the service. */
  url?: string
  /** Address of a PNG picture of the QR code for `url`. Set by the service. */
  qrUrl?: string
}

/** A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC. */
export interface TagFull {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt?: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. The first tap by a guest sets it. */
  nfc: boolean
  /** Key-value pairs that identify the location, such as a table number. Up to 50 elements. */
  metadata: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
    /** Whether customers can see the entry. Default: `true`. */
    visible: boolean
  }>
  /** Value from an earlier system, unchanged. Set by the service. */
  message?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  documentCollection?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  documentId?: string
  /** Value from an earlier system, unchanged. Set by the service. */
  edited?: boolean
  /** Value from an earlier system, unchanged. Set by the service. */
  qr?: boolean
  /** Time of creation in an earlier system. Replaces `createdAt`. Set by the service. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. */
    _seconds: number
    /** Nanoseconds within the second. */
    _nanoseconds: number
  }
  /** Codes of the tag. The first code is the printed one. Set by the service. */
  alias: Array<string>
  /** Address that a scan opens. Absent if the service has no public address. Set by the service. */
  url?: string
  /** Address of a PNG picture of the QR code for `url`. Set by the service. */
  qrUrl?: string
  /** Address to write to the NFC chip. It is signed and cannot be guessed. Set by the service. */
  nfcUrl?: string
}

export interface WebhookCreate {
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url: string
  /** Types of the events to send; `*` stands for all types. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. Default: `[]`. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether the service sends events to the webhook. Default: `true`. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface WebhookUpdate {
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url?: string | undefined
  /** Types of the events to send; `*` stands for all types. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether the service sends events to the webhook. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface Webhook {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url: string
  /** Types of the events to send; `*` stands for all types. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
}

/** An external endpoint that receives events. */
export interface WebhookFull {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url: string
  /** Types of the events to send; `*` stands for all types. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
  /** Token that every request to `url` carries as `Authorization: Bearer`. Set by the service. */
  bearerToken: string
}

/** An external endpoint that receives events. */
export interface WebhookCreated {
  /** Unique identifier. Ids that the service generates sort by time of creation. Set by the service. */
  id: string
  /** Whether the object belongs to test mode. Set by the service. */
  testMode: boolean
  /** Time of creation, in seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. Set by the service. */
  updatedAt: number
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url: string
  /** Types of the events to send; `*` stands for all types. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
  /** Token that every request to `url` carries as `Authorization: Bearer`. Set by the service. */
  bearerToken: string
  /** Signing secret in the Standard Webhooks format. Only this response shows it. */
  secret: string
}

export interface EventCreate {
  /** Type of the event. Clients can publish this type only. */
  type: "order.created"
  /** The order: an object with up to 100 levels. It is stored and sent as the same JSON text, without white space between tokens. Duplicate names in an object are rejected. */
  data: Record<string, unknown>
}

export interface Event {
  /** Unique identifier, the same on every attempt. Receivers use it to drop duplicates. */
  id: string
  /** Type of the event: one of `/event-types`, or `webhook.test`. */
  type: string
  /** Time of the event: ISO 8601, in UTC. */
  timestamp: string
  /** Id of the merchant. */
  merchantId: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Version of the object. Increases with every change. */
  version: number
  /** The object at the time of the event. */
  data: Record<string, unknown>
  /** Previous values of the changed fields. null: the field had no value. */
  previous?: Record<string, unknown>
}

export interface ListedEvent {
  /** Unique identifier, the same on every attempt. Receivers use it to drop duplicates. */
  id: string
  /** Type of the event: one of `/event-types`, or `webhook.test`. */
  type: string
  /** Time of the event: ISO 8601, in UTC. */
  timestamp: string
  /** Id of the merchant. */
  merchantId: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Version of the object. Increases with every change. */
  version: number
  /** The object at the time of the event. `data` and `previous` are absent if the key cannot read the resource. `order.created` always has `data`. */
  data?: Record<string, unknown>
  /** Previous values of the changed fields. null: the field had no value. */
  previous?: Record<string, unknown>
}

export interface Delivery {
  /** Id of the event. */
  eventId: string
  /** Type of the event. */
  type: string
  /** `pending`: an attempt follows. `failed`: all attempts failed. `cancelled`: the webhook was deactivated. */
  state: "pending" | "delivered" | "failed" | "cancelled"
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Attempts so far, oldest first. */
  attempts: Array<{
    /** Number of the attempt, starting at 1. */
    number: number
    /** Time of the attempt, in seconds since 1970-01-01 UTC. */
    at: number
    /** HTTP status of the response. Absent if there was no response. */
    status?: number
    /** Duration of the attempt in milliseconds. */
    durationMs: number
    /** Reason why there was no response. */
    error?: string
    /** First 16 KiB of the response body. */
    response?: string
  }>
  /** Earliest time of the next attempt, in seconds since 1970-01-01 UTC. Present only while `pending`. A failing endpoint receives one request every 30 seconds, so later deliveries wait. */
  nextAttemptAt?: number
}

export interface Recovery {
  /** Start of the period, in seconds since 1970-01-01 UTC. At most 30 days ago. Integer, 0 or more. */
  since: number | string
}

export interface AuditEntry {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Time of the change. Seconds since 1970-01-01 UTC. */
  at: number
  /** Id of the API key that made the change. Id of the API key, `operator`, or `system` for changes by the service itself. */
  key: string
  /** Id of the request that made the change. Absent if no request made it. */
  requestId?: string
  /** Operation that was performed. Resource and action, for example `products.update`. */
  operation: string
  /** Id of the changed object. */
  object: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
}

export interface ScanCount {
  /** Day in the time zone of the venue: YYYY-MM-DD. */
  day: string
  /** `qr`: scan of the QR code. `nfc`: tap of the chip. `link`: any other visit of the address. */
  channel: "qr" | "nfc" | "link"
  /** Number of scans. */
  count: number
}

export interface Offer {
  /** The venue. */
  venue: {
    /** Id of the merchant. */
    id: string
    /** Name of the venue. */
    name: string
    /** IANA name of the time zone. */
    timezone: string
    /** Currency of the prices: an ISO 4217 code. Absent if not known. */
    currency?: string
    /** Language of the menu, detected from its texts: a BCP 47 tag. */
    language?: string
    /** Writing direction of the language. */
    direction: "ltr" | "rtl"
    /** Format of prices and times: a BCP 47 tag. */
    locale: string
  }
  /** Whether the menu belongs to test mode. */
  testMode: boolean
  /** The tag that was scanned. */
  tag?: {
    /** Id of the tag. */
    id: string
    /** Metadata of the tag that guests can see. */
    metadata: Array<{
      /** Name of the entry. */
      key: string
      /** Value of the entry. */
      value: string
    }>
    /** Label of the tag that guests see. */
    label: string
  }
  /** Time of the menu, in seconds since 1970-01-01 UTC. */
  availableAt: number
  /** Time at which other menus open or close, in seconds. Absent if the opening hours never change it. */
  nextChangeAt?: number
  /** Titles of the menus that open at `nextChangeAt`. Empty while a menu is open. */
  nextMenus: Array<string>
  /** Menus that are available at `availableAt`. */
  menus: Array<{
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string
    /** Whether customers see a navigation between the sections. */
    showSectionNavigation: boolean
    /** Whether the menu is available at any time. */
    allDayMenu: boolean
    /** Time when the menu begins, in the venue's time zone: `HHMM`. */
    begin?: string
    /** Time when the menu ends: `HHMM`. A time before `begin` is on the next day. */
    end?: string
    /** Pictures of the menu. */
    branding: {
      /** HTTP or HTTPS address of the wide picture at the top, or `false` for none. 1–2,048 characters. */
      banner?: false | string
      /** HTTP or HTTPS address of the small picture, or `false` for none. 1–2,048 characters. */
      icon?: false | string
    }
    /** Sections in display order. */
    sections: Array<{
      /** Id of the section. */
      id: string
      /** Name of the section. Up to 255 characters after removal of leading and trailing white space. */
      title?: string
      /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
      description?: string
      /** Layout of the section. Always `LIST`. */
      type: "LIST"
      /** Products of the section, in display order. */
      products: Array<{
        /** Unique identifier. Ids that the service generates sort by time of creation. */
        id: string
        /** Name of the product. 1–255 characters after removal of leading and trailing white space. */
        title: string
        /** Price of one unit in the merchant's currency. */
        price: number
        /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
        description?: string
        /** Energy of one unit in kilocalories. Integer, 0 or more. */
        calories?: number
        /** Pictures of the product, in display order. Up to 20 elements. */
        images: Array<{
          /** HTTP or HTTPS address of the picture. 1–2,048 characters. */
          url: string
        }>
        /** Ids of the modifiers of the product, found in `modifiers`. */
        modifiers: Array<string>
        /** Whether the product is sold out. */
        soldOut: boolean
      }>
    }>
  }>
  /** Modifiers that a product in `menus` names, each once. */
  modifiers: Array<{
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Name of the modifier. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Instructions for the customer. Can be empty. Up to 5,000 characters. */
    instructions: string
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string
    /** How many options the customer can choose. `CHECKBOX`: several. `RADIO`: one. */
    type: "CHECKBOX" | "RADIO"
    /** Rules for choosing options. */
    rules: {
      /** Whether the customer must choose an option. */
      required?: boolean
      /** Whether the customer can choose several options. Cannot be `true` for `RADIO`. */
      allowedMultiple?: boolean
      /** Number of options that the customer can choose. 0 or absent: any number. Integer, 0 or more. */
      selectRestriction?: number
      /** Whether the customer must choose exactly `selectRestriction` options. */
      requireSelectRestriction?: boolean
      /** Whether the customer can choose an option more than once. */
      enableOptionQuantity?: boolean
    }
    /** Options that the customer can choose, in display order. Up to 250 elements. */
    options: Array<{
      /** Id of the option, unique in the modifier. */
      id: string
      /** Name of the option. Up to 255 characters after removal of leading and trailing white space. */
      label?: string
      /** Amount added to the price, in the merchant's currency. A negative amount lowers the price. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
      additionalCost?: number
      /** Energy that the option adds, in kilocalories. Integer, 0 or more. */
      additionalCalories?: number
      /** Whether the option is selected initially. */
      preSelected?: boolean
    }>
  }>
  /** Whether the catalogue is too large to be shown completely. */
  truncated: boolean
  /** Value of `from` for the next part of the menu. Absent on the last part. */
  nextFrom?: number
}

export interface MerchantCreate {
  /** Name of the venue. 1–255 characters after removal of leading and trailing white space. */
  name: string
  /** Name of an IANA time zone. Default: `UTC`. Up to 64 characters. */
  timezone?: string | null | undefined
  /** ISO 4217 code of the currency. Up to 3 characters. */
  currency?: string | null | undefined
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  orderingUrl?: string | null | undefined
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  sandboxUrl?: string | null | undefined
}

export interface MerchantUpdate {
  /** Name of the venue. 1–255 characters after removal of leading and trailing white space. */
  name?: string | undefined
  /** Name of an IANA time zone. Default: `UTC`. Up to 64 characters. */
  timezone?: string | null | undefined
  /** ISO 4217 code of the currency. Up to 3 characters. */
  currency?: string | null | undefined
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  orderingUrl?: string | null | undefined
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  sandboxUrl?: string | null | undefined
}

export interface DamagedRow {
  /** Name of the table. */
  table: string
  /** Id of the row; of a delivery, the id of its event. */
  id: string
  /** Fields whose stored values do not fit their schema. */
  fields: Array<string>
}

export interface Merchant {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Name of the venue. 1–255 characters after removal of leading and trailing white space. */
  name: string
  /** Name of an IANA time zone. Default: `UTC`. Up to 64 characters. */
  timezone: string
  /** ISO 4217 code of the currency. Up to 3 characters. */
  currency?: string
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  orderingUrl?: string
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. 1–2,048 characters. */
  sandboxUrl?: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. */
  updatedAt: number
}

export interface KeyCreate {
  /** `live`: the key accesses live objects. `test`: the key accesses test objects. */
  mode: "live" | "test"
  /** Operations that the key allows. Scopes of the key. Default: all scopes. Up to 17 elements without duplicates. */
  scopes?: Array<"products:read" | "products:write" | "modifiers:read" | "modifiers:write" | "menus:read" | "menus:write" | "coupons:read" | "coupons:write" | "customers:read" | "customers:write" | "tags:read" | "tags:write" | "webhooks:read" | "webhooks:write" | "events:read" | "events:write" | "audit:read"> | null | undefined
  /** Purpose of the key. 1–255 characters after removal of leading and trailing white space. */
  title?: string | null | undefined
  /** Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never. Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future. Default: never. Integer, 0 or more. */
  expiresAt?: number | string | null | undefined
}

export interface KeyRoll {
  /** How long the old key stays valid, in seconds. Default: 86400. Maximum: 604800. Integer, 0 or more. */
  overlap?: number | string | null | undefined
}

export interface Key {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Purpose of the key. */
  title?: string
  /** Operations that the key allows. */
  scopes: Array<string>
  /** Last four characters of the key. */
  last4: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never. */
  expiresAt?: number
  /** Time of the last use, in seconds since 1970-01-01 UTC. Absent: not used yet. */
  lastUsedAt?: number
  /** `live`: the key accesses live objects. `test`: the key accesses test objects. */
  mode: "live" | "test"
  /** First characters of the key. */
  prefix: string
}

export interface KeyFull {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Purpose of the key. */
  title?: string
  /** Operations that the key allows. */
  scopes: Array<string>
  /** Last four characters of the key. */
  last4: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never. */
  expiresAt?: number
  /** Time of the last use, in seconds since 1970-01-01 UTC. Absent: not used yet. */
  lastUsedAt?: number
  /** `live`: the key accesses live objects. `test`: the key accesses test objects. */
  mode: "live" | "test"
  /** First characters of the key. */
  prefix: string
  /** The key itself. Returned only once. */
  key: string
}

export interface TagImport {
  /** Whether the tag has been activated through NFC. The first tap by a guest sets it. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** Key-value pairs that identify the location, such as a table number. Up to 50 elements. */
  metadata?: Array<{
    /** Name of the entry. 1–64 characters after removal of leading and trailing white space. */
    key: string
    /** Value of the entry. Stored exactly as sent. Up to 5,000 characters. */
    value: string
    /** Whether customers can see the entry. Default: `true`. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag belongs to test mode and leads to the sandbox. Default: the mode of the API key. */
  testMode?: boolean | 0 | 1 | null | undefined
  /** Id of the tag in the earlier system. Default: an id that the service generates. 1–64 characters. */
  id?: string | null | undefined
  /** Further codes of the tag. Up to 50 elements without duplicates. */
  alias?: Array<string> | null | undefined
  /** Value from an earlier system, unchanged. Up to 5,000 characters. */
  message?: string | null | undefined
  /** Value from an earlier system, unchanged. Up to 5,000 characters. */
  documentCollection?: string | null | undefined
  /** Value from an earlier system, unchanged. Up to 5,000 characters. */
  documentId?: string | null | undefined
  /** Value from an earlier system, unchanged. */
  edited?: boolean | 0 | 1 | null | undefined
  /** Value from an earlier system, unchanged. */
  qr?: boolean | 0 | 1 | null | undefined
  /** Time of creation in an earlier system. Replaces `createdAt`. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. Integer, 0–253,402,300,799. */
    _seconds: number
    /** Nanoseconds within the second. Integer, 0–999,999,999. */
    _nanoseconds: number
  } | null | undefined
}

export interface RetainedTable {
  /** Name of the table. */
  name: string
  /** Retention time of a row in seconds. */
  retentionSeconds: number
  /** Time of the oldest row, in seconds since 1970-01-01 UTC. Absent if the table is empty. */
  oldestAt?: number
  /** Time since the oldest row expired, in seconds. 0 if no row has expired. Purges run every minute. */
  overdueSeconds: number
}

export interface TagRebuild {
  /** Keys written for tags. */
  tags: number
  /** Keys written for deleted tags. */
  tombstones: number
  /** Keys written for merchants. */
  merchants: number
  /** Keys deleted because they are not in the database. */
  removed: number
  /** Cursor of the next batch. Absent after the last batch. */
  cursor?: string
}

export interface Problem {
  /** Address of the documentation of the code. */
  type: string
  /** Short summary. The same for every problem with this code. */
  title: string
  /** HTTP status of the response. */
  status: number
  /** Explanation of the problem for people. */
  detail: string
  /** Error code for programs, from a closed list. */
  code: "unauthenticated" | "forbidden" | "not_found" | "gone" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "malformed_path" | "malformed_body" | "malformed_bookmark" | "invalid_request" | "conflict" | "too_many" | "damaged" | "idempotency_key_in_use" | "idempotency_key_reused" | "precondition_failed" | "rate_limited" | "busy" | "misconfigured" | "unavailable" | "internal"
  /** Id of the request, as in `Request-Id`. */
  requestId: string
  /** All issues of the body or the query. */
  errors?: Array<{
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    /** Explanation of the issue for people. */
    message: string
    /** Location in the body: a JSON pointer (RFC 6901). */
    pointer: string
  } | {
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    /** Explanation of the issue for people. */
    message: string
    /** Name of the query parameter. */
    parameter: string
  }>
}

export interface ListProductsQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  visible?: boolean | undefined
  /** Only objects with exactly this value. */
  sku?: string | undefined
  /** Only objects with exactly this value. */
  upc?: string | undefined
}

export interface ListModifiersQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
}

export interface ListMenusQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  visible?: boolean | undefined
}

export interface ListCouponsQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only the object with this code, whatever its case and width. */
  code?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  active?: boolean | undefined
}

export interface ListCustomersQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects with exactly this value. */
  email?: string | undefined
  /** Only objects with exactly this value. */
  phone?: string | undefined
}

export interface ListTagsQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  nfc?: boolean | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  testMode?: boolean | undefined
}

export interface ListWebhooksQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  active?: boolean | undefined
}

export interface ListEventsQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Id of the last event that the client has read. Returns the events after it. */
  after?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Returns only deliveries in this state. */
  state?: "pending" | "delivered" | "failed" | "cancelled" | undefined
}

export interface ListAuditEntriesQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only objects with exactly this value. */
  object?: string | undefined
  /** Only objects with exactly this value. */
  key?: string | undefined
  /** Only objects with exactly this value. */
  operation?: string | undefined
}

export interface ListScansQuery {
  /** First day: YYYY-MM-DD. Default: 29 days before the last day. At most 365 days before it. */
  from?: string | undefined
  /** Last day in the time zone of the venue: YYYY-MM-DD. Default: today. */
  to?: string | undefined
}

export interface PrintSheetQuery {
  /** Number of tags on the sheet. 1–100. Default: 100. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  nfc?: boolean | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  testMode?: boolean | undefined
  /** Paper format. Default: `a4`. */
  format?: "a4" | "letter" | undefined
  /** Stickers, or tents that stand on tables. Default: `stickers`. */
  layout?: "tents" | "stickers" | undefined
}

export interface PrintSheetPdfQuery {
  /** Number of tags on the sheet. 1–100. Default: 100. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page of at most 4 MiB: at most 100 ids, with commas between or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  nfc?: boolean | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  testMode?: boolean | undefined
  /** Paper format. Default: `a4`. */
  format?: "a4" | "letter" | undefined
  /** Stickers, or tents that stand on tables. Default: `stickers`. */
  layout?: "tents" | "stickers" | undefined
}

export interface DrawPNGQuery {
  /** Width and height in pixels, rounded down to whole pixels a module. 64–2,048. Default: 512. */
  size?: number | undefined
  /** Width of the quiet zone in modules. 4–16. Default: 4. */
  margin?: number | undefined
  /** Error correction level. Default: the highest level that needs no more modules than `M`. */
  ecc?: "L" | "M" | "Q" | "H" | undefined
}

export interface DrawSVGQuery {
  /** Width and height in pixels, rounded down to whole pixels a module. 64–2,048. Default: 512. */
  size?: number | undefined
  /** Width of the quiet zone in modules. 4–16. Default: 4. */
  margin?: number | undefined
  /** Error correction level. Default: the highest level that needs no more modules than `M`. */
  ecc?: "L" | "M" | "Q" | "H" | undefined
}

export interface ReadMenuQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** First day: YYYY-MM-DD. Default: 29 days before the last day. At most 365 days before it. Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
  /** Language of the page. Default: the language of the browser or of the menu. */
  lang?: string | undefined
}

export interface RetrieveOfferQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** First day: YYYY-MM-DD. Default: 29 days before the last day. At most 365 days before it. Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
}

export interface ListMerchantsQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
}

export interface ListDamagedRowsQuery {
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
}

export interface ListKeysQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
}

export interface RebuildTagsQuery {
  /** `cursor` of the previous response. Absent: starts with the first batch. */
  cursor?: string | undefined
}

