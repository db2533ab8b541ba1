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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
  /** Details of the object. Only in lists and retrievals with `?include=details`. */
  details?: ProductDetails
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
    /** Number of options that the customer can choose. 0 or absent: unlimited. Integer, 0 or more. */
    selectRestriction?: number | string | null | undefined
    /** Whether the customer must choose exactly as many options as allowed: `selectRestriction`, or one. Ignored if unlimited. */
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
    /** Number of options that the customer can choose. 0 or absent: unlimited. Integer, 0 or more. */
    selectRestriction?: number | string | null | undefined
    /** Whether the customer must choose exactly as many options as allowed: `selectRestriction`, or one. Ignored if unlimited. */
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
    /** Number of options that the customer can choose. 0 or absent: unlimited. Integer, 0 or more. */
    selectRestriction?: number
    /** Whether the customer must choose exactly as many options as allowed: `selectRestriction`, or one. Ignored if unlimited. */
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
  /** Details of the object. Only in lists and retrievals with `?include=details`. */
  details?: ModifierDetails
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
  /** Whether the menu is available at all times. Becomes `false` if `begin` and `end` are set without it. Default: `true`. */
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
  /** Whether the menu is available at all times. Becomes `false` if `begin` and `end` are set without it. */
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
  /** Whether the menu is available at all times. Becomes `false` if `begin` and `end` are set without it. */
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
  /** Details of the object. Only in lists and retrievals with `?include=details`. */
  details?: MenuDetails
}

export interface CouponCreate {
  /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
  code: string
  /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
  type: "PERCENTAGE" | "FIXED"
  /** Discount, not 0. At most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
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
  /** Discount, not 0. At most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
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
  /** Discount, not 0. At most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
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
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
}

export interface WebhookCreate {
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title: string
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url: string
  /** Types of the events to send; `*` means all types. A new type, or another `url`, requires the scopes to read what the events carry. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. Default: `[]`. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "stock.changed" | "product.sold_out" | "product.back_in_stock" | "coupon.redeemed" | "coupon.released" | "coupon.limit_reached" | "product.details_updated" | "modifier.details_updated" | "menu.details_updated" | "customer.erased"> | null | undefined
  /** Whether the service sends events to the webhook. Default: `true`. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface WebhookUpdate {
  /** Name of the webhook. 1–255 characters after removal of leading and trailing white space. */
  title?: string | undefined
  /** HTTPS address that receives events. Its host must be a public name. 1–2,048 characters. */
  url?: string | undefined
  /** Types of the events to send; `*` means all types. A new type, or another `url`, requires the scopes to read what the events carry. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "stock.changed" | "product.sold_out" | "product.back_in_stock" | "coupon.redeemed" | "coupon.released" | "coupon.limit_reached" | "product.details_updated" | "modifier.details_updated" | "menu.details_updated" | "customer.erased"> | null | undefined
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
  /** Types of the events to send; `*` means all types. A new type, or another `url`, requires the scopes to read what the events carry. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
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
  /** Types of the events to send; `*` means all types. A new type, or another `url`, requires the scopes to read what the events carry. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
  /** Token that every request to `url` carries as `Authorization: Bearer`. Set by the service. */
  bearerToken: string
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
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
  /** Types of the events to send; `*` means all types. A new type, or another `url`, requires the scopes to read what the events carry. With an empty list, only `POST …/test` sends an event. Up to 100 elements without duplicates. */
  events: Array<string>
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. Set by the service. */
  disabledReason?: string
  /** Token that every request to `url` carries as `Authorization: Bearer`. Set by the service. */
  bearerToken: string
  /** External id of the object. Only in lists and retrievals with `?include=externalId`. */
  externalId?: string
  /** Version of the object, as in its events. Only in lists and retrievals with `?include=version`. */
  version?: number
  /** Signing secret in the Standard Webhooks format. Only this response shows it. */
  secret: string
}

export interface Picture {
  /** Address of the picture. Its content never changes. */
  url: string
  /** Width in pixels, as shown. */
  width: number
  /** Height in pixels, as shown. */
  height: number
}

export interface ProductDetails {
  /** Allergens of the product. Absent: not stated. Empty: stated that there are none. Up to 14 elements. */
  allergens?: Array<{
    /** Allergen of Regulation (EU) 1169/2011, Annex II. */
    code: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs"
    /** `contains`: an ingredient. `may_contain`: traces cannot be excluded. */
    level: "contains" | "may_contain"
  }>
  /** Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`. Up to 6 elements without duplicates. */
  diets?: Array<"vegan" | "vegetarian" | "halal" | "kosher" | "gluten_free" | "lactose_free">
  /** Alcohol by volume, in percent. 0–100 with up to 2 decimal places. */
  alcoholByVolume?: number
  /** Youngest age of customers, in years. Integer, 1–99. */
  ageLimit?: number
  /** Nutrition declaration. */
  nutrition?: {
    /** Amount that the values are for. Required if a value is set. */
    basis?: "100g" | "100ml" | "portion"
    /** Energy, in kilocalories. 0–100,000 with up to 4 decimal places. */
    energyKcal?: number
    /** Fat, in grams. 0–100,000 with up to 4 decimal places. */
    fat?: number
    /** Saturated fatty acids, in grams. 0–100,000 with up to 4 decimal places. */
    saturates?: number
    /** Carbohydrate, in grams. 0–100,000 with up to 4 decimal places. */
    carbohydrate?: number
    /** Sugars, in grams. 0–100,000 with up to 4 decimal places. */
    sugars?: number
    /** Protein, in grams. 0–100,000 with up to 4 decimal places. */
    protein?: number
    /** Salt, in grams. 0–100,000 with up to 4 decimal places. */
    salt?: number
  }
  /** Texts of the product in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string
    /** Translated description. Up to 5,000 characters. */
    description?: string
  }>
}

export interface ProductDetailsUpdate {
  /** Allergens of the product. Absent: not stated. Empty: stated that there are none. Up to 14 elements. */
  allergens?: Array<{
    /** Allergen of Regulation (EU) 1169/2011, Annex II. */
    code: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs"
    /** `contains`: an ingredient. `may_contain`: traces cannot be excluded. */
    level: "contains" | "may_contain"
  }> | null | undefined
  /** Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`. Up to 6 elements without duplicates. */
  diets?: Array<"vegan" | "vegetarian" | "halal" | "kosher" | "gluten_free" | "lactose_free"> | null | undefined
  /** Alcohol by volume, in percent. 0–100 with up to 2 decimal places. */
  alcoholByVolume?: number | string | null | undefined
  /** Youngest age of customers, in years. Integer, 1–99. */
  ageLimit?: number | string | null | undefined
  /** Nutrition declaration. */
  nutrition?: {
    /** Amount that the values are for. Required if a value is set. */
    basis?: "100g" | "100ml" | "portion" | null | undefined
    /** Energy, in kilocalories. 0–100,000 with up to 4 decimal places. */
    energyKcal?: number | string | null | undefined
    /** Fat, in grams. 0–100,000 with up to 4 decimal places. */
    fat?: number | string | null | undefined
    /** Saturated fatty acids, in grams. 0–100,000 with up to 4 decimal places. */
    saturates?: number | string | null | undefined
    /** Carbohydrate, in grams. 0–100,000 with up to 4 decimal places. */
    carbohydrate?: number | string | null | undefined
    /** Sugars, in grams. 0–100,000 with up to 4 decimal places. */
    sugars?: number | string | null | undefined
    /** Protein, in grams. 0–100,000 with up to 4 decimal places. */
    protein?: number | string | null | undefined
    /** Salt, in grams. 0–100,000 with up to 4 decimal places. */
    salt?: number | string | null | undefined
  } | null | undefined
  /** Texts of the product in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string | null | undefined
    /** Translated description. Up to 5,000 characters. */
    description?: string | null | undefined
  } | null> | null | undefined
}

export interface ModifierDetails {
  /** Texts of the modifier and its options in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string
    /** Translated instructions. Up to 5,000 characters. */
    instructions?: string
    /** Translated description. Up to 5,000 characters. */
    description?: string
    /** Texts of options by their ids. */
    options?: Record<string, {
      /** Translated name of the option. Up to 255 characters after removal of leading and trailing white space. */
      label?: string
    }>
  }>
}

export interface ModifierDetailsUpdate {
  /** Texts of the modifier and its options in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string | null | undefined
    /** Translated instructions. Up to 5,000 characters. */
    instructions?: string | null | undefined
    /** Translated description. Up to 5,000 characters. */
    description?: string | null | undefined
    /** Texts of options by their ids. */
    options?: Record<string, {
      /** Translated name of the option. Up to 255 characters after removal of leading and trailing white space. */
      label?: string | null | undefined
    } | null> | null | undefined
  } | null> | null | undefined
}

export interface MenuDetails {
  /** Place among the menus: a lower number comes first. Menus without a position come last, by title. Integer, 0–1,000,000. */
  position?: number
  /** Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day. Up to 7 elements without duplicates. */
  days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
  /** Days between which the menu is served, both included, by the clock of the venue. */
  dates?: {
    /** First day: `YYYY-MM-DD`. Absent: no first day. Up to 10 characters. */
    from?: string
    /** Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day. Up to 10 characters. */
    until?: string
  }
  /** Prices that replace those of products while the menu is served. Prices of deleted products disappear with them. Up to 1,000 elements. */
  prices?: Array<{
    /** Id of the product. 1–64 characters. */
    product: string
    /** Price of one unit while the menu is served, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
    price: number
  }>
  /** Texts of the menu and its sections in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string
    /** Translated description. Up to 5,000 characters. */
    description?: string
    /** Texts of sections by their ids. */
    sections?: Record<string, {
      /** Translated name of the section. Up to 255 characters after removal of leading and trailing white space. */
      title?: string
      /** Translated description. Up to 5,000 characters. */
      description?: string
    }>
  }>
}

export interface MenuDetailsUpdate {
  /** Place among the menus: a lower number comes first. Menus without a position come last, by title. Integer, 0–1,000,000. */
  position?: number | string | null | undefined
  /** Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day. Up to 7 elements without duplicates. */
  days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null | undefined
  /** Days between which the menu is served, both included, by the clock of the venue. */
  dates?: {
    /** First day: `YYYY-MM-DD`. Absent: no first day. Up to 10 characters. */
    from?: string | null | undefined
    /** Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day. Up to 10 characters. */
    until?: string | null | undefined
  } | null | undefined
  /** Prices that replace those of products while the menu is served. Prices of deleted products disappear with them. Up to 1,000 elements. */
  prices?: Array<{
    /** Id of the product. 1–64 characters. */
    product: string
    /** Price of one unit while the menu is served, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
    price: number | string
  }> | null | undefined
  /** Texts of the menu and its sections in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
  translations?: Record<string, {
    /** Translated title. 1–255 characters after removal of leading and trailing white space. */
    title?: string | null | undefined
    /** Translated description. Up to 5,000 characters. */
    description?: string | null | undefined
    /** Texts of sections by their ids. */
    sections?: Record<string, {
      /** Translated name of the section. Up to 255 characters after removal of leading and trailing white space. */
      title?: string | null | undefined
      /** Translated description. Up to 5,000 characters. */
      description?: string | null | undefined
    } | null> | null | undefined
  } | null> | null | undefined
}

export interface ProductDetailsChanged {
  /** Id of the product. */
  id: string
  /** Details after the change. */
  details: {
    /** Allergens of the product. Absent: not stated. Empty: stated that there are none. Up to 14 elements. */
    allergens?: Array<{
      /** Allergen of Regulation (EU) 1169/2011, Annex II. */
      code: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs"
      /** `contains`: an ingredient. `may_contain`: traces cannot be excluded. */
      level: "contains" | "may_contain"
    }>
    /** Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`. Up to 6 elements without duplicates. */
    diets?: Array<"vegan" | "vegetarian" | "halal" | "kosher" | "gluten_free" | "lactose_free">
    /** Alcohol by volume, in percent. 0–100 with up to 2 decimal places. */
    alcoholByVolume?: number
    /** Youngest age of customers, in years. Integer, 1–99. */
    ageLimit?: number
    /** Nutrition declaration. */
    nutrition?: {
      /** Amount that the values are for. Required if a value is set. */
      basis?: "100g" | "100ml" | "portion"
      /** Energy, in kilocalories. 0–100,000 with up to 4 decimal places. */
      energyKcal?: number
      /** Fat, in grams. 0–100,000 with up to 4 decimal places. */
      fat?: number
      /** Saturated fatty acids, in grams. 0–100,000 with up to 4 decimal places. */
      saturates?: number
      /** Carbohydrate, in grams. 0–100,000 with up to 4 decimal places. */
      carbohydrate?: number
      /** Sugars, in grams. 0–100,000 with up to 4 decimal places. */
      sugars?: number
      /** Protein, in grams. 0–100,000 with up to 4 decimal places. */
      protein?: number
      /** Salt, in grams. 0–100,000 with up to 4 decimal places. */
      salt?: number
    }
    /** Texts of the product in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
    translations?: Record<string, {
      /** Translated title. 1–255 characters after removal of leading and trailing white space. */
      title?: string
      /** Translated description. Up to 5,000 characters. */
      description?: string
    }>
  }
}

export interface ModifierDetailsChanged {
  /** Id of the modifier. */
  id: string
  /** Details after the change. */
  details: {
    /** Texts of the modifier and its options in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
    translations?: Record<string, {
      /** Translated title. 1–255 characters after removal of leading and trailing white space. */
      title?: string
      /** Translated instructions. Up to 5,000 characters. */
      instructions?: string
      /** Translated description. Up to 5,000 characters. */
      description?: string
      /** Texts of options by their ids. */
      options?: Record<string, {
        /** Translated name of the option. Up to 255 characters after removal of leading and trailing white space. */
        label?: string
      }>
    }>
  }
}

export interface MenuDetailsChanged {
  /** Id of the menu. */
  id: string
  /** Details after the change. */
  details: {
    /** Place among the menus: a lower number comes first. Menus without a position come last, by title. Integer, 0–1,000,000. */
    position?: number
    /** Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day. Up to 7 elements without duplicates. */
    days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Days between which the menu is served, both included, by the clock of the venue. */
    dates?: {
      /** First day: `YYYY-MM-DD`. Absent: no first day. Up to 10 characters. */
      from?: string
      /** Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day. Up to 10 characters. */
      until?: string
    }
    /** Prices that replace those of products while the menu is served. Prices of deleted products disappear with them. Up to 1,000 elements. */
    prices?: Array<{
      /** Id of the product. 1–64 characters. */
      product: string
      /** Price of one unit while the menu is served, in the merchant's currency. 0–1,000,000,000 with up to 4 decimal places. */
      price: number
    }>
    /** Texts of the menu and its sections in other languages, by BCP 47 language tag: `{"fr": {"title": "…"}}`. Up to 30 languages. `null` removes a language or a text. */
    translations?: Record<string, {
      /** Translated title. 1–255 characters after removal of leading and trailing white space. */
      title?: string
      /** Translated description. Up to 5,000 characters. */
      description?: string
      /** Texts of sections by their ids. */
      sections?: Record<string, {
        /** Translated name of the section. Up to 255 characters after removal of leading and trailing white space. */
        title?: string
        /** Translated description. Up to 5,000 characters. */
        description?: string
      }>
    }>
  }
}

export interface CouponLimits {
  /** First second at which the coupon is valid, in seconds since 1970-01-01 UTC. Absent: no start. Integer, 0–253,402,300,799. */
  startsAt?: number
  /** First second at which the coupon is no longer valid, in seconds since 1970-01-01 UTC. After `startsAt`. Absent: no end. Integer, 0–253,402,300,799. */
  endsAt?: number
  /** Number of times that the coupon can be redeemed. Absent: unlimited. Integer, 1 or more. */
  maxRedemptions?: number
  /** Number of times that one customer can redeem the coupon. Makes `customer` required to use it. Absent: unlimited. Integer, 1 or more. */
  maxRedemptionsPerCustomer?: number
  /** Largest discount per order, in the merchant's currency. Absent: no maximum. 0–1,000,000,000 with up to 4 decimal places. */
  maxDiscount?: number
}

export interface CouponLimitsUpdate {
  /** First second at which the coupon is valid, in seconds since 1970-01-01 UTC. Absent: no start. Integer, 0–253,402,300,799. */
  startsAt?: number | string | null | undefined
  /** First second at which the coupon is no longer valid, in seconds since 1970-01-01 UTC. After `startsAt`. Absent: no end. Integer, 0–253,402,300,799. */
  endsAt?: number | string | null | undefined
  /** Number of times that the coupon can be redeemed. Absent: unlimited. Integer, 1 or more. */
  maxRedemptions?: number | string | null | undefined
  /** Number of times that one customer can redeem the coupon. Makes `customer` required to use it. Absent: unlimited. Integer, 1 or more. */
  maxRedemptionsPerCustomer?: number | string | null | undefined
  /** Largest discount per order, in the merchant's currency. Absent: no maximum. 0–1,000,000,000 with up to 4 decimal places. */
  maxDiscount?: number | string | null | undefined
}

export interface QuoteCreate {
  /** Lines of the order. A product can have several lines. Up to 200 elements. */
  items: Array<{
    /** Id of a product. 1–64 characters. */
    product: string
    /** Number of units. Integer, 1–999. */
    quantity: number | string
    /** Options that the customer chose. Each option at most once. Up to 100 elements. */
    options?: Array<{
      /** Id of a modifier of the product. 1–64 characters. */
      modifier: string
      /** Id of an option of the modifier. 1–64 characters. */
      option: string
      /** Number of times that the option is chosen for one unit. Default: 1. Integer, 1–99. */
      quantity?: number | string | null | undefined
    }> | null | undefined
  }>
  /** Codes of coupons in the order in which they apply. Each code at most once. Up to 10 elements. */
  coupons?: Array<string> | null | undefined
  /** Id of the customer. Required by coupons with `maxRedemptionsPerCustomer`. 1–64 characters. */
  customer?: string | null | undefined
  /** Time of the order, in seconds since 1970-01-01 UTC. Default: now. Integer, 0–253,402,300,799. */
  at?: number | string | null | undefined
  /** Id of the menu that the customer orders from. Its opening hours are checked; while it is served, its prices replace those of products. 1–64 characters. */
  menu?: string | null | undefined
}

export interface Quote {
  /** ISO 4217 code of the currency. Absent: amounts have 2 decimal places. */
  currency?: string
  /** Whether the order can be placed: `issues` is empty. */
  orderable: boolean
  /** Time of the quote, in seconds since 1970-01-01 UTC. */
  at: number
  /** Lines in the order of the request, including those with issues. */
  items: Array<{
    /** Id of the product. */
    product: string
    /** Name of the product. Absent if the product does not exist. */
    title?: string
    /** Number of units. */
    quantity: number
    /** Chosen options. */
    options: Array<{
      /** Id of the modifier. */
      modifier: string
      /** Id of the option. */
      option: string
      /** Name of the option. */
      label?: string
      /** Number of times that the option is chosen for one unit. */
      quantity: number
      /** Amount that the option adds to the price of one unit each time. 0 for an unknown option. */
      additionalCost: number
    }>
    /** Price of one unit with its options, with up to 4 decimal places. At least 0. */
    unitPrice: number
    /** `unitPrice` × `quantity`, rounded half up to the decimal places of the currency. */
    subtotal: number
    /** Discounts of the line. */
    discounts: Array<{
      /** Id of the coupon. */
      coupon: string
      /** Amount that the coupon takes off the line. */
      amount: number
    }>
    /** Tax rate in percent. 0 if the product is not taxable. */
    taxRate: number
    /** Tax of the line after discounts. */
    tax: number
    /** Amount to pay for the line: after discounts, with tax. */
    total: number
  }>
  /** Coupons in the order of the request. */
  coupons: Array<{
    /** Code as the request has it. */
    code: string
    /** Id of the coupon. Absent if no coupon has the code. */
    coupon?: string
    /** Whether the coupon lowers the total. */
    status: "applied" | "not_applied"
    /** Discount. 0 if the coupon is not applied. */
    amount: number
    /** All reasons why the coupon is not applied. Empty if it is applied. */
    reasons: Array<{
      /** Reason for programs, from a closed list. */
      code: "not_found" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required" | "minimum_not_met" | "no_matching_product" | "not_combinable" | "no_effect"
      /** Explanation for people. */
      message: string
      /** Amount by which the subtotal is too small. Present for `minimum_not_met`. */
      missing?: number
    }>
  }>
  /** Taxes by rate, lowest rate first. */
  taxes: Array<{
    /** Tax rate in percent. */
    rate: number
    /** Sum of the lines with this rate after discounts. Includes tax if `included`. */
    base: number
    /** Tax. */
    amount: number
    /** Whether `base` includes the tax. */
    included: boolean
  }>
  /** Sum of the lines before discounts. */
  subtotal: number
  /** Sum of all discounts. */
  discountTotal: number
  /** Sum of all taxes. */
  taxTotal: number
  /** Amount to pay: the sum of the totals of the lines. */
  total: number
  /** Everything that prevents the order. */
  issues: Array<{
    /** JSON pointer (RFC 6901) into the request. */
    pointer: string
    /** Issue for programs, from a closed list. */
    code: "unknown_product" | "not_visible" | "sold_out" | "insufficient_stock" | "modifier_not_offered" | "unknown_option" | "required_modifier_missing" | "too_few_options" | "too_many_options" | "option_quantity_not_enabled" | "unknown_menu" | "outside_menu_hours" | "unknown_customer"
    /** Explanation for people. */
    message: string
    /** Units in stock. Present for `insufficient_stock`. */
    available?: number
    /** Id of the modifier. Present if the number of its options is wrong. */
    modifier?: string
  }>
}

export interface Redemption {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Id of the coupon, which may be deleted. */
  coupon: string
  /** Code of the coupon as the request spelled it. */
  code: string
  /** The caller's id of the order. */
  order: string
  /** Id of the customer, who may be deleted. */
  customer?: string
  /** Discount that the guest was granted, in the merchant's currency. Stored as sent. */
  amount?: number
  /** `held`: reserved until `expiresAt`. `redeemed`: counted in `timesRedeemed`. `released`: taken back. `expired`: held, and not confirmed in time. */
  state: "held" | "redeemed" | "released" | "expired"
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** First second at which the hold has no effect, in seconds since 1970-01-01 UTC. Only with `held` and `expired`. */
  expiresAt?: number
}

export interface RedemptionCreate {
  /** Code of the coupon. Upper and lower case, full and half width are the same. 1–64 characters after removal of leading and trailing white space. */
  code: string
  /** The caller's id of the order. An order redeems a coupon at most once. 1–128 characters. */
  order: string
  /** Id of the customer. Required if the coupon has `maxRedemptionsPerCustomer`. 1–64 characters. */
  customer?: string | null | undefined
  /** Discount that the guest is granted, in the merchant's currency. Stored as sent. 0–1,000,000,000 with up to 4 decimal places. */
  amount?: number | string | null | undefined
  /** Reserves the coupon for this number of seconds instead of redeeming it. Integer, 1–3,600. */
  hold?: number | string | null | undefined
}

export interface StockAdjustment {
  /** The caller's id of the adjustment, for example of the order. An adjustment is applied once. 1–128 characters. */
  reference: string
  /** Why the stock changes. */
  reason: "sale" | "return" | "waste" | "delivery" | "count"
  /** Whether the stock may become negative. Default: `false`. */
  oversell?: boolean | 0 | 1 | null | undefined
  /** Changes by product. All are applied, or none. Up to 500 elements. */
  changes: Array<{
    /** Id of the product. Each product at most once. 1–64 characters. */
    product: string
    /** Number of units to add to the stock. Negative to take units out. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
    delta?: number | string | undefined
    /** New number of units in stock. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
    set?: number | string | undefined
  }>
}

export interface StockResult {
  /** Reference of the adjustment. */
  reference: string
  /** The changed products, in the order of the request. */
  changes: Array<{
    /** Id of the product. */
    product: string
    /** Number of units in stock after the adjustment. */
    stockQuantity: number
    /** Whether the product is sold out after the adjustment. */
    soldOut: boolean
  }>
}

export interface StockException {
  /** Id of the product. */
  product: string
  /** Name of the product. */
  title: string
  /** Number of units in stock. Absent if the stock of the product is not managed. */
  stockQuantity?: number
  /** Whether the product is sold out: marked, or out of managed stock. */
  soldOut: boolean
  /** End of the mark: the first second at which it no longer counts, or `further_notice`. Absent if the product is not marked. */
  until?: number | "further_notice"
}

export interface Availability {
  /** Whether the product is sold out: marked, or out of managed stock. */
  soldOut: boolean
  /** End of the mark: the first second at which it no longer counts, or `further_notice`. Absent if the product is not marked. */
  until?: number | "further_notice"
}

export interface AvailabilityUpdate {
  /** Whether the product is marked as sold out. */
  soldOut: boolean | 0 | 1
  /** First second at which the product is available again, in seconds since 1970-01-01 UTC. `tomorrow`: the next `dayStartsAt` of the merchant, in the venue's time zone. `further_notice`: no end. Only with `soldOut: true`. Default: `further_notice`. Integer, 0–253,402,300,799. */
  until?: number | string | "tomorrow" | "further_notice" | null | undefined
}

export interface StockChanged {
  /** Reference of the adjustment. */
  reference: string
  /** Why the stock changed. */
  reason: "sale" | "return" | "waste" | "delivery" | "count"
  /** The products of the adjustment. */
  changes: Array<{
    /** Id of the product. */
    product: string
    /** Number of units in stock after the adjustment. */
    stockQuantity: number
    /** Whether the product is sold out after the adjustment. */
    soldOut: boolean
    /** Version of the product after the adjustment. */
    version: number
    /** Time of the last change of the product after the adjustment, in seconds since 1970-01-01 UTC. Absent in events of earlier releases. */
    updatedAt?: number
  }>
}

export interface SoldOutChanged {
  /** Ids of the products that changed. */
  products: Array<string>
  /** Ids of all products that are sold out after the change, in order. At most 5,000. */
  soldOut: Array<string>
  /** Whether more than 5,000 products are sold out. */
  truncated: boolean
}

export interface CouponRedemption {
  /** The redemption after the change. */
  redemption: {
    /** Unique identifier. Ids sort by time of creation. */
    id: string
    /** Id of the coupon, which may be deleted. */
    coupon: string
    /** Code of the coupon as the request spelled it. */
    code: string
    /** The caller's id of the order. */
    order: string
    /** Id of the customer, who may be deleted. */
    customer?: string
    /** Discount that the guest was granted, in the merchant's currency. Stored as sent. */
    amount?: number
    /** `held`: reserved until `expiresAt`. `redeemed`: counted in `timesRedeemed`. `released`: taken back. `expired`: held, and not confirmed in time. */
    state: "held" | "redeemed" | "released" | "expired"
    /** Time of creation, in seconds since 1970-01-01 UTC. */
    createdAt: number
    /** First second at which the hold has no effect, in seconds since 1970-01-01 UTC. Only with `held` and `expired`. */
    expiresAt?: number
  }
  /** The coupon after the change. Absent if it is deleted. */
  coupon?: {
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Whether the object belongs to test mode. */
    testMode: boolean
    /** Time of creation, in seconds since 1970-01-01 UTC. */
    createdAt: number
    /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. */
    updatedAt: number
    /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
    code: string
    /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
    type: "PERCENTAGE" | "FIXED"
    /** Discount, not 0. At most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
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
}

export interface CouponLimitReached {
  /** The coupon after the redemption. */
  coupon: {
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Whether the object belongs to test mode. */
    testMode: boolean
    /** Time of creation, in seconds since 1970-01-01 UTC. */
    createdAt: number
    /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. */
    updatedAt: number
    /** Name of the coupon. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Code that customers enter. Unique in the merchant and mode; letter case and width are ignored. 1–64 characters after removal of leading and trailing white space. */
    code: string
    /** Kind of discount. `PERCENTAGE`: `value` is in percent. `FIXED`: `value` is in the merchant's currency. */
    type: "PERCENTAGE" | "FIXED"
    /** Discount, not 0. At most 100 for `PERCENTAGE`. 0–1,000,000,000 with up to 4 decimal places. */
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
  /** Number of times that the coupon can be redeemed. */
  maxRedemptions: number
}

export interface EventCreate {
  /** Type of the event. Clients can publish this type only. */
  type: "order.created"
  /** The order: an object with up to 100 levels. It is stored and sent as the same JSON text, without white space between tokens. Duplicate names in an object are rejected. */
  data: Record<string, unknown>
  /** Changes of stock and coupons that the order makes. They are written in one transaction with the event. */
  effects?: {
    /** Stock that the order takes. Requires the scope `stock:write`. */
    stock?: {
      /** The caller's id of the adjustment. Default: the `Idempotency-Key`. 1–128 characters. */
      reference?: string | null | undefined
      /** Why the stock changes. Default: `sale`. */
      reason?: "sale" | "return" | "waste" | "delivery" | "count" | null | undefined
      /** Whether the stock may become negative. Default: `false`. */
      oversell?: boolean | 0 | 1 | null | undefined
      /** Changes by product. All are applied, or none. Up to 500 elements. */
      changes: Array<{
        /** Id of the product. Each product at most once. 1–64 characters. */
        product: string
        /** Number of units to add to the stock. Negative to take units out. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
        delta?: number | string | undefined
        /** New number of units in stock. Between -1,000,000,000 and 1,000,000,000 with up to 4 decimal places. */
        set?: number | string | undefined
      }>
    } | null | undefined
    /** Coupons that the order redeems, each once. Requires the scope `redemptions:write`. Up to 10 elements. */
    redemptions?: Array<{
      /** Code of the coupon. Upper and lower case, full and half width are the same. 1–64 characters after removal of leading and trailing white space. */
      code: string
      /** The caller's id of the order. An order redeems a coupon at most once. 1–128 characters. */
      order: string
      /** Id of the customer. Required if the coupon has `maxRedemptionsPerCustomer`. 1–64 characters. */
      customer?: string | null | undefined
      /** Discount that the guest is granted, in the merchant's currency. Stored as sent. 0–1,000,000,000 with up to 4 decimal places. */
      amount?: number | string | null | undefined
    }> | null | undefined
  } | null | undefined
}

export interface EventPublished {
  /** Id of the event. */
  id: string
  /** Changes that the effects made. Absent without effects. */
  effects?: {
    /** The stock after the order. */
    stock?: {
      /** Reference of the adjustment. */
      reference: string
      /** The changed products, in the order of the request. */
      changes: Array<{
        /** Id of the product. */
        product: string
        /** Number of units in stock after the adjustment. */
        stockQuantity: number
        /** Whether the product is sold out after the adjustment. */
        soldOut: boolean
      }>
    }
    /** The redemptions of the order. */
    redemptions?: Array<{
      /** Unique identifier. Ids sort by time of creation. */
      id: string
      /** Id of the coupon, which may be deleted. */
      coupon: string
      /** Code of the coupon as the request spelled it. */
      code: string
      /** The caller's id of the order. */
      order: string
      /** Id of the customer, who may be deleted. */
      customer?: string
      /** Discount that the guest was granted, in the merchant's currency. Stored as sent. */
      amount?: number
      /** `held`: reserved until `expiresAt`. `redeemed`: counted in `timesRedeemed`. `released`: taken back. `expired`: held, and not confirmed in time. */
      state: "held" | "redeemed" | "released" | "expired"
      /** Time of creation, in seconds since 1970-01-01 UTC. */
      createdAt: number
      /** First second at which the hold has no effect, in seconds since 1970-01-01 UTC. Only with `held` and `expired`. */
      expiresAt?: number
    }>
  }
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
  /** External id of the object. Absent if it has none. */
  externalId?: string
  /** The object at the time of the event. */
  data: Record<string, unknown>
  /** Previous values of the changed fields. `null`: the field had no value. */
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
  /** External id of the object. Absent if it has none. */
  externalId?: string
  /** The object at the time of the event. `data` and `previous` are absent if the key cannot read the resource. `order.created` always has `data`. */
  data?: Record<string, unknown>
  /** Previous values of the changed fields. `null`: the field had no value. */
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

export interface CustomerExport {
  /** Id of the customer. */
  id: string
  /** Time of the export, in seconds since 1970-01-01 UTC. */
  exportedAt: number
  /** Redemptions of coupons. */
  redemptions: Array<Redemption>
  /** Deliveries of the events to webhooks. */
  deliveries: Array<{
    /** Id of the webhook. */
    webhookId: string
    /** Id of the event. */
    eventId: string
    /** State of the delivery. */
    state: "pending" | "delivered" | "failed" | "cancelled"
    /** Time of the event, in seconds since 1970-01-01 UTC. */
    createdAt: number
    /** Number of attempts so far. */
    attempts: number
  }>
  /** The customer, with its external id. Absent if it is deleted. Of a damaged customer, the readable fields. */
  customer?: {
    /** Id of the customer. */
    id?: string
  }
  /** Events about the customer and its redemptions, and orders that belong to it, as they are sent. */
  events: Array<Event>
}

export interface CustomerErasure {
  /** Id of the erased customer. */
  id: string
  /** Always `true`. */
  erased: true
}

export interface AuditEntry {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Time of the change, in seconds since 1970-01-01 UTC. */
  at: number
  /** Id of the API key or the member that made the change, `operator`, or `system` for the service itself. */
  key: string
  /** Id of the request that made the change. Absent if no request made it. */
  requestId?: string
  /** Resource and action, for example `products.update`. */
  operation: string
  /** Id of the changed object. */
  object: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
}

export interface Batch {
  /** `atomic`: if an operation fails, nothing is changed. `independent`: each operation succeeds or fails alone. Default: `atomic`. */
  mode?: "atomic" | "independent" | undefined
  /** Operations on different objects. Up to 500 elements. */
  operations: Array<BatchOperation>
}

export interface BatchOperation {
  /** `create` and `upsert` require `body`, `upsert` also `externalId`. `update` requires `body`. `update` and `delete` require `id` or `externalId`. An `upsert` updates the object with the external id, or creates it. */
  op: "create" | "update" | "upsert" | "delete"
  /** Resource of the object. */
  resource: "products" | "modifiers" | "menus" | "coupons" | "customers" | "tags" | "webhooks"
  /** Id of the object of an `update` or `delete`. 1–64 characters. */
  id?: string | undefined
  /** External id of the object. A `create` sets it; no other object may have it. 1–128 characters. */
  externalId?: string | undefined
  /** Name of the object of a `create` or `upsert` in this batch: `#` and 1 to 63 of `A-Z a-z 0-9 _ -`. All bodies of the batch can name the object by it. */
  ref?: string | undefined
  /** Entity tag that the object of an `update`, `upsert` or `delete` must have, as in `If-Match`. */
  ifMatch?: string | undefined
  /** Body of the single operation. An id of an object can be replaced by a `ref` or by `{"externalId": "…"}`. */
  body?: Record<string, unknown> | undefined
}

export interface BatchResults {
  /** Mode of the batch. */
  mode: "atomic" | "independent"
  /** Present if nothing was changed. */
  dryRun?: true
  /** Results in the order of the operations. */
  results: Array<BatchResult>
}

export interface BatchResult {
  /** Position of the operation in the batch, starting at 0. */
  index: number
  /** Status that the single operation would have. */
  status: number
  /** Id of the object. Absent for creates of a dry run and for creates that fail. */
  id?: string
  /** External id of the object, if it has one. */
  externalId?: string
  /** Entity tag of the object after a create or an update, as in `ETag`. */
  etag?: string
  /** The object as the single operation returns it, if `return=objects`. */
  object?: Record<string, unknown>
  problem?: OperationProblem
}

export interface OperationProblem {
  /** Address of the documentation of the code. */
  type: string
  /** Short summary. The same for every problem with this code. */
  title: string
  /** HTTP status of the response. */
  status: number
  /** Explanation of the problem for people. */
  detail: string
  /** Error code for programs, from a closed list. */
  code: "unauthenticated" | "forbidden" | "merchant_suspended" | "assertion_required" | "not_found" | "gone" | "events_expired" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "malformed_path" | "malformed_body" | "malformed_bookmark" | "invalid_request" | "batch_failed" | "batch_too_large" | "conflict" | "too_many" | "quota_exceeded" | "damaged" | "not_supported" | "idempotency_key_in_use" | "idempotency_key_reused" | "insufficient_stock" | "coupon_not_redeemable" | "precondition_failed" | "rate_limited" | "busy" | "misconfigured" | "unavailable" | "internal"
  /** All issues of the body or the query. */
  errors?: Array<{
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the issue for people. */
    message: string
    /** Units in stock, with `insufficient_stock`. */
    available?: number
    /** Location in the body: a JSON pointer (RFC 6901). */
    pointer: string
  } | {
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the issue for people. */
    message: string
    /** Units in stock, with `insufficient_stock`. */
    available?: number
    /** Name of the query parameter. */
    parameter: string
  }>
  /** With `coupon_not_redeemable`: all reasons. */
  reasons?: Array<{
    /** Code of the reason for programs. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the reason for people. */
    message: string
  }>
}

export interface Import {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Resource of all objects. Absent if the lines of the file name several. */
  resource?: "products" | "modifiers" | "menus" | "coupons" | "customers" | "tags" | "webhooks"
  /** Format of the file. */
  format: "csv" | "jsonl"
  /** Field that selects the object that a row updates. */
  match: "externalId" | "id" | "sku"
  /** `missing` if applying deletes the objects that the file does not name. Absent otherwise. */
  delete?: "missing"
  /** `set` if the numbers that the service counts become those of the file. Absent otherwise. */
  counters?: "set"
  /** `checking`: rows are checked, and nothing is written. `ready`: can be applied. `failed`: no row is usable, or the service stopped the import because of an error of its own: see its issues. `applying`: waits for earlier imports, or rows are applied. `done`, `cancelled`, `failed`: rows that were applied stay. */
  state: "checking" | "ready" | "failed" | "applying" | "done" | "cancelled"
  /** Number of rows in the file. */
  rows: number
  /** Number of rows that were checked. */
  checked: number
  /** Number of rows that were applied: created, updated or unchanged. */
  applied: number
  /** Number of objects that were created. */
  created: number
  /** Number of objects that were updated. */
  updated: number
  /** Number of rows whose object had all values already. */
  unchanged: number
  /** Number of objects that were deleted because the file does not name them. */
  deleted: number
  /** Number of rows with issues. They are not applied. */
  failed: number
  /** What the check found besides issues. Rows with notices are applied. */
  notices: Array<{
    /** `counter_kept`: a number that the service counts differs from that of the file, and stays. `counter_set`: the import sets it to that of the file. */
    code: "counter_kept" | "counter_set"
    /** Resource of the rows. */
    resource: "products" | "modifiers" | "menus" | "coupons" | "customers" | "tags" | "webhooks"
    /** Name of the field. */
    field: string
    /** Number of rows. */
    count: number
    /** Explanation of the notice for people. */
    message: string
  }>
  /** Time of the upload, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last progress, in seconds since 1970-01-01 UTC. */
  updatedAt: number
}

export interface ImportIssue {
  /** Row of the spreadsheet, whose header is row 1, or number of the line in a JSON Lines file. */
  row: number
  /** Name of the column in a CSV file, shortened to 500 characters. */
  column?: string
  /** JSON pointer (RFC 6901) into the object of the line, shortened to 500 characters. */
  pointer?: string
  /** Code of the issue, or of the problem, for programs. */
  code: string
  /** Explanation of the issue for people. */
  message: string
  /** The value, shortened to 200 characters. */
  value?: string
}

export interface ScanCount {
  /** Day in the time zone of the venue: YYYY-MM-DD. */
  day: string
  /** `qr`: scan of the QR code. `nfc`: tap of the chip. `link`: every other visit of the address. */
  channel: "qr" | "nfc" | "link"
  /** Number of scans. */
  count: number
}

export interface SheetLinkCreate {
  /** Prints only the tags with these ids. Ids without a tag are ignored. Up to 1,000 elements without duplicates. */
  ids?: Array<string> | null | undefined
  /** Prints only tags whose metadata has the key `area` with this value. Ignores the case of key and value. 1–255 characters after removal of leading and trailing white space. */
  area?: string | null | undefined
  /** Prints only tags with this value of `nfc`. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** Prints only tags with this value of `testMode`. */
  testMode?: boolean | 0 | 1 | null | undefined
  /** Prints only tags that this full-text search finds. Up to 255 characters. */
  q?: string | null | undefined
  /** Call to action on each card. Default: "Scan for the menu" in the venue's language. 1–60 characters after removal of leading and trailing white space. */
  text?: string | null | undefined
  /** Paper format. A layout for stock of one format takes only that. Default: that of the layout. */
  format?: "a4" | "letter" | null | undefined
  /** Kind of cards: stickers, tents, posters, or labels of Avery stock. Default: `stickers`. */
  layout?: "stickers" | "tents" | "avery-5160" | "avery-l7160" | "avery-22806" | "a6-tents" | "a5-posters" | "round-50" | null | undefined
  /** Number of positions on the first page that stay empty, for stock that is partly used. Whole pages are not counted. Default: 0. Integer, 0–99. */
  skip?: number | string | null | undefined
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
    /** Language of the texts of the venue, as a BCP 47 tag: as stated, or detected from their script. Absent if it is not known. */
    language?: string
    /** Address of the logo. An upload sets it. 1–2,048 characters. */
    logo?: string
    /** Color of headings and links on pages for guests: `#rrggbb`. Pages make it darker or lighter where its contrast is too low. Up to 7 characters. */
    color?: string
    /** Postal address. */
    address?: {
      /** Street and number. Up to 255 characters after removal of leading and trailing white space. */
      street?: string
      /** Postal code. Up to 255 characters after removal of leading and trailing white space. */
      postalCode?: string
      /** City. Up to 255 characters after removal of leading and trailing white space. */
      city?: string
      /** State or region. Up to 255 characters after removal of leading and trailing white space. */
      region?: string
      /** ISO 3166-1 alpha-2 code of the country. Up to 2 characters. */
      country?: string
    }
    /** Phone number. 1–32 characters after removal of leading and trailing white space. */
    phone?: string
    /** Address of the website. 1–2,048 characters. */
    website?: string
    /** Opening hours, by the clock of the venue. Shown to guests; they close no menu. Up to 50 elements. */
    openingHours?: Array<{
      /** Weekdays with these hours. Up to 7 elements without duplicates. */
      days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
      /** Time when the venue opens: `HHMM`, `0000` to `2359`. */
      opens: string
      /** Time when the venue closes: `HHMM`, up to `2400`. A time before `opens` is on the next day. */
      closes: string
    }>
    /** Writing direction of the language. */
    direction: "ltr" | "rtl"
    /** Format of prices and times: a BCP 47 tag. */
    locale: string
  }
  /** Language of the texts of menus, products and modifiers: a BCP 47 tag. Absent if it is not known. */
  language?: string
  /** Languages that `lang` can name: that of the venue, if it is known, and those of translations. */
  languages: Array<string>
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
  /** Menus that are available at `availableAt`, sorted by position, then by title. */
  menus: Array<{
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string
    /** Whether customers see a navigation between the sections. */
    showSectionNavigation: boolean
    /** Whether the menu is available at all times. */
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
        /** Price of one unit on this menu, in the merchant's currency. */
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
        /** Allergens of the product. Absent: not stated. Empty: stated that there are none. Up to 14 elements. */
        allergens?: Array<{
          /** Allergen of Regulation (EU) 1169/2011, Annex II. */
          code: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs"
          /** `contains`: an ingredient. `may_contain`: traces cannot be excluded. */
          level: "contains" | "may_contain"
        }>
        /** Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`. Up to 6 elements without duplicates. */
        diets?: Array<"vegan" | "vegetarian" | "halal" | "kosher" | "gluten_free" | "lactose_free">
        /** Alcohol by volume, in percent. 0–100 with up to 2 decimal places. */
        alcoholByVolume?: number
        /** Youngest age of customers, in years. Integer, 1–99. */
        ageLimit?: number
        /** Nutrition declaration. */
        nutrition?: {
          /** Amount that the values are for. Required if a value is set. */
          basis?: "100g" | "100ml" | "portion"
          /** Energy, in kilocalories. 0–100,000 with up to 4 decimal places. */
          energyKcal?: number
          /** Fat, in grams. 0–100,000 with up to 4 decimal places. */
          fat?: number
          /** Saturated fatty acids, in grams. 0–100,000 with up to 4 decimal places. */
          saturates?: number
          /** Carbohydrate, in grams. 0–100,000 with up to 4 decimal places. */
          carbohydrate?: number
          /** Sugars, in grams. 0–100,000 with up to 4 decimal places. */
          sugars?: number
          /** Protein, in grams. 0–100,000 with up to 4 decimal places. */
          protein?: number
          /** Salt, in grams. 0–100,000 with up to 4 decimal places. */
          salt?: number
        }
        /** Whether the product is sold out. */
        soldOut: boolean
        /** Whether the product has options, which may add allergens to those that it states. Absent: it has none. */
        choicesMayAddAllergens?: boolean
        /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
        untranslated?: Array<string>
      }>
      /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
      untranslated?: Array<string>
    }>
    /** Place among the menus: a lower number comes first. Menus without a position come last, by title. Integer, 0–1,000,000. */
    position?: number
    /** Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day. Up to 7 elements without duplicates. */
    days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Days between which the menu is served, both included, by the clock of the venue. */
    dates?: {
      /** First day: `YYYY-MM-DD`. Absent: no first day. Up to 10 characters. */
      from?: string
      /** Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day. Up to 10 characters. */
      until?: string
    }
    /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
    untranslated?: Array<string>
  }>
  /** All other visible menus that open again, sorted by position, then by title. */
  closedMenus: Array<{
    /** Unique identifier. Ids that the service generates sort by time of creation. */
    id: string
    /** Name of the menu. 1–255 characters after removal of leading and trailing white space. */
    title: string
    /** Text below the title. Stored exactly as sent. Up to 5,000 characters. */
    description?: string
    /** Whether customers see a navigation between the sections. */
    showSectionNavigation: boolean
    /** Whether the menu is available at all times. */
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
        /** Price of one unit on this menu, in the merchant's currency. */
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
        /** Allergens of the product. Absent: not stated. Empty: stated that there are none. Up to 14 elements. */
        allergens?: Array<{
          /** Allergen of Regulation (EU) 1169/2011, Annex II. */
          code: "gluten" | "crustaceans" | "eggs" | "fish" | "peanuts" | "soybeans" | "milk" | "nuts" | "celery" | "mustard" | "sesame" | "sulphites" | "lupin" | "molluscs"
          /** `contains`: an ingredient. `may_contain`: traces cannot be excluded. */
          level: "contains" | "may_contain"
        }>
        /** Diets that the product suits. Absent: not stated. A contained allergen contradicts some diets (`contradicts`): milk, eggs, fish, crustaceans and molluscs `vegan`; the last three `vegetarian`; crustaceans and molluscs `kosher`; gluten `gluten_free`. Alcohol over 0.5 % contradicts `halal`. Up to 6 elements without duplicates. */
        diets?: Array<"vegan" | "vegetarian" | "halal" | "kosher" | "gluten_free" | "lactose_free">
        /** Alcohol by volume, in percent. 0–100 with up to 2 decimal places. */
        alcoholByVolume?: number
        /** Youngest age of customers, in years. Integer, 1–99. */
        ageLimit?: number
        /** Nutrition declaration. */
        nutrition?: {
          /** Amount that the values are for. Required if a value is set. */
          basis?: "100g" | "100ml" | "portion"
          /** Energy, in kilocalories. 0–100,000 with up to 4 decimal places. */
          energyKcal?: number
          /** Fat, in grams. 0–100,000 with up to 4 decimal places. */
          fat?: number
          /** Saturated fatty acids, in grams. 0–100,000 with up to 4 decimal places. */
          saturates?: number
          /** Carbohydrate, in grams. 0–100,000 with up to 4 decimal places. */
          carbohydrate?: number
          /** Sugars, in grams. 0–100,000 with up to 4 decimal places. */
          sugars?: number
          /** Protein, in grams. 0–100,000 with up to 4 decimal places. */
          protein?: number
          /** Salt, in grams. 0–100,000 with up to 4 decimal places. */
          salt?: number
        }
        /** Whether the product is sold out. */
        soldOut: boolean
        /** Whether the product has options, which may add allergens to those that it states. Absent: it has none. */
        choicesMayAddAllergens?: boolean
        /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
        untranslated?: Array<string>
      }>
      /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
      untranslated?: Array<string>
    }>
    /** Place among the menus: a lower number comes first. Menus without a position come last, by title. Integer, 0–1,000,000. */
    position?: number
    /** Weekdays on which the menu is served, by the clock of the venue. Hours past midnight belong to the day on which they begin. Absent: every day. Up to 7 elements without duplicates. */
    days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Days between which the menu is served, both included, by the clock of the venue. */
    dates?: {
      /** First day: `YYYY-MM-DD`. Absent: no first day. Up to 10 characters. */
      from?: string
      /** Last day: `YYYY-MM-DD`, not before `from`. Absent: no last day. Up to 10 characters. */
      until?: string
    }
    /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
    untranslated?: Array<string>
    /** Time at which the menu is available next, in seconds since 1970-01-01 UTC. */
    nextServed: number
  }>
  /** Modifiers that the products of these menus name, each once. */
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
      /** Number of options that the customer can choose. 0 or absent: unlimited. Integer, 0 or more. */
      selectRestriction?: number
      /** Whether the customer must choose exactly as many options as allowed: `selectRestriction`, or one. Ignored if unlimited. */
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
      /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
      untranslated?: Array<string>
    }>
    /** Fields whose text is not translated, and therefore in the venue's language. Absent: none. */
    untranslated?: Array<string>
  }>
  /** Whether the catalogue is too large to be shown completely. */
  truncated: boolean
  /** Value of `from` for the next part of the menu. Absent on the last part. */
  nextFrom?: number
}

export interface Session {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Id of the API key that started the session. */
  key?: string
  /** Id of the member who started the session with a passkey. */
  user?: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last use, in seconds since 1970-01-01 UTC. Accurate to 5 minutes. */
  lastUsedAt: number
  /** Time when the session ends unless it is used, in seconds since 1970-01-01 UTC. */
  expiresAt: number
  /** `User-Agent` of the sign-in, up to 255 characters. */
  userAgent?: string
  /** Whether this session sends the request. */
  current: boolean
}

export interface Member {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Name of the member. */
  name: string
  /** `owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys. */
  role: "owner" | "manager" | "staff" | "developer"
  /** Number of the passkeys of the person. */
  passkeys: number
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last sign-in, in seconds since 1970-01-01 UTC. */
  lastUsedAt?: number
}

export interface MemberUpdate {
  /** `owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys. */
  role?: "owner" | "manager" | "staff" | "developer" | null | undefined
  /** Name of the member. Absent: unchanged. 1–255 characters after removal of leading and trailing white space. */
  name?: string | null | undefined
}

export interface Invitation {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** `owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys. */
  role: "owner" | "manager" | "staff" | "developer"
  /** Id of the API key or the member, or `operator`. */
  createdBy: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of expiry, in seconds since 1970-01-01 UTC. */
  expiresAt: number
}

export interface InvitationCreate {
  /** `owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys. */
  role: "owner" | "manager" | "staff" | "developer"
  /** Lifetime in days. Default: 14. Integer, 1–14. */
  days?: number | string | null | undefined
}

export interface InvitationCreated {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** `owner`: everything. `manager`: all resources, stock, redemptions and events. `staff`: reads products, modifiers, menus, coupons and tags, and changes stock and availability. `developer`: webhooks, events, the audit log and test keys. */
  role: "owner" | "manager" | "staff" | "developer"
  /** Id of the API key or the member, or `operator`. */
  createdBy: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of expiry, in seconds since 1970-01-01 UTC. */
  expiresAt: number
  /** Link that the invited person opens. Returned only once. */
  url: string
}

export interface SessionCreate {
  /** An API key of the merchant. 1–128 characters. */
  key: string
}

export interface OperatorSessionCreate {
  /** The secret of the operator. Absent: the request has passed Cloudflare Access. 1–1,024 characters. */
  token?: string | null | undefined
}

export interface OperatorSession {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last use, in seconds since 1970-01-01 UTC. Accurate to 5 minutes. */
  lastUsedAt: number
  /** Time when the session ends unless it is used, in seconds since 1970-01-01 UTC. */
  expiresAt: number
  /** `User-Agent` of the sign-in, up to 255 characters. */
  userAgent?: string
  /** Whether this session sends the request. */
  current: boolean
}

export interface OwnSession {
  /** Unique identifier. Ids sort by time of creation. */
  id: string
  /** Id of the API key that started the session. */
  key?: string
  /** The member who signed in with a passkey. Absent: the session is of an API key. */
  user?: {
    /** Id of the member. */
    id: string
    /** Name of the member. */
    name: string
    /** Role of the member. */
    role: "owner" | "manager" | "staff" | "developer"
  }
  /** Mode of the API key. For a member, the mode that the request header `Mode` chooses: default `live`. */
  mode: "live" | "test"
  /** Operations that the session allows. */
  scopes: Array<string>
  /** Time when the session ends unless it is used, in seconds since 1970-01-01 UTC. */
  expiresAt: number
  /** The merchant. */
  merchant: {
    /** Id of the merchant. */
    id: string
    /** Name of the venue. */
    name: string
    /** IANA name of the time zone. */
    timezone: string
    /** ISO 4217 code of the currency. */
    currency?: string
  }
  /** Changes of the member's passkeys that this passkey has not been told at this venue, newest first. Absent: none. */
  notices?: Array<{
    /** Id of the notice. */
    id: string
    /** Time of the change, in seconds since 1970-01-01 UTC. */
    at: number
    /** What was changed. */
    operation: "passkeys.create" | "passkeys.delete"
    /** Name of the passkey. Absent: none. */
    title?: string
    /** Name of the venue where the person was signed in. */
    venue: string
  }>
}

export interface InvitationOpen {
  /** Token of the invitation: the fragment of its link. 1–64 characters. */
  token: string
}

export interface InvitationOpened {
  /** The merchant that invites. */
  merchant: {
    /** Id of the merchant. */
    id: string
    /** Name of the venue. */
    name: string
  }
  /** Role of the new member. */
  role: "owner" | "manager" | "staff" | "developer"
  /** Time of expiry, in seconds since 1970-01-01 UTC. */
  expiresAt: number
}

export interface PasskeyRequestOptions {
  /** Challenge in base64url. It is accepted once, for 5 minutes. */
  challenge: string
  /** Host name that passkeys are bound to. */
  rpId: string
  /** Time that the person has, in milliseconds. */
  timeout: number
  /** Whether the authenticator must verify the person. */
  userVerification: "required"
}

export interface PasskeyCreationRequest {
  /** Token of an invitation. Absent: the passkey is for the member who is signed in. 1–64 characters. */
  token?: string | null | undefined
  /** Name of the new member. Required with `token`. 1–255 characters after removal of leading and trailing white space. */
  name?: string | null | undefined
}

export interface PasskeyCreationOptions {
  /** Challenge in base64url. It is accepted once, for 5 minutes. */
  challenge: string
  /** Time that the person has, in milliseconds. */
  timeout: number
  /** The service. */
  rp: {
    /** Host name that passkeys are bound to. */
    id: string
    /** Name of the venue. */
    name: string
  }
  /** The person. */
  user: {
    /** User handle in base64url. */
    id: string
    /** Name of the person and the venue. */
    name: string
    /** Name of the person. */
    displayName: string
  }
  /** Algorithms in the order of preference. */
  pubKeyCredParams: Array<{
    /** Always `public-key`. */
    type: "public-key"
    /** COSE number of an algorithm. */
    alg: number
  }>
  /** Passkeys that the person has. */
  excludeCredentials: Array<{
    /** Always `public-key`. */
    type: "public-key"
    /** Id of the passkey, in base64url. */
    id: string
    /** Hints for browsers. */
    transports: Array<string>
  }>
  /** Passkeys are discoverable, and verify the person. */
  authenticatorSelection: {
    /** Whether the passkey is discoverable. */
    residentKey: "required"
    /** Whether the authenticator must verify the person. */
    userVerification: "required"
  }
  /** Authenticators are not attested. */
  attestation: "none"
}

export interface PasskeyCreate {
  /** Token of an invitation. Absent: the passkey is for the member who is signed in. 1–64 characters. */
  token?: string | null | undefined
  /** Name of the new member. Required with `token`. 1–255 characters after removal of leading and trailing white space. */
  name?: string | null | undefined
  /** The new passkey. */
  credential: {
    /** Id of the passkey, in base64url. 1–1,364 characters. */
    id: string
    /** Always `public-key`. */
    type: "public-key"
    /** Response of the authenticator. Binary values are in base64url. */
    response: {
      /** Client data (JSON) that the browser passed to the authenticator, as base64url. 1–4,096 characters. */
      clientDataJSON: string
      /** Data of the authenticator: its flags and its counter. 1–4,096 characters. */
      authenticatorData: string
      /** Public key in the format SubjectPublicKeyInfo (RFC 5280). 1–4,096 characters. */
      publicKey: string
      /** COSE number of the algorithm: -7, -8 or -257. Integer, -9,007,199,254,740,991 or more. */
      publicKeyAlgorithm: number
      /** Hints for browsers. Up to 10 elements without duplicates. */
      transports?: Array<string>
    }
  }
  /** Name of the passkey, such as that of the device. 1–255 characters after removal of leading and trailing white space. */
  title?: string | null | undefined
}

export interface PasskeySignIn {
  /** The response of the passkey. */
  credential: {
    /** Id of the passkey, in base64url. 1–1,364 characters. */
    id: string
    /** Always `public-key`. */
    type: "public-key"
    /** Response of the authenticator. Binary values are in base64url. */
    response: {
      /** Client data (JSON) that the browser passed to the authenticator, as base64url. 1–4,096 characters. */
      clientDataJSON: string
      /** Data of the authenticator: its flags and its counter. 1–4,096 characters. */
      authenticatorData: string
      /** Signature of the passkey. 1–4,096 characters. */
      signature: string
      /** User handle of the person. Not read. Up to 128 characters. */
      userHandle?: string | null
    }
  }
  /** Merchant to sign in to. Default: the one that the person used last and that is not suspended. 1–64 characters. */
  merchant?: string | null | undefined
  /** Token of an invitation of another merchant, which the person joins. 1–64 characters. */
  token?: string | null | undefined
}

export interface PasskeyAssertion {
  /** The response of the passkey. */
  credential: {
    /** Id of the passkey, in base64url. 1–1,364 characters. */
    id: string
    /** Always `public-key`. */
    type: "public-key"
    /** Response of the authenticator. Binary values are in base64url. */
    response: {
      /** Client data (JSON) that the browser passed to the authenticator, as base64url. 1–4,096 characters. */
      clientDataJSON: string
      /** Data of the authenticator: its flags and its counter. 1–4,096 characters. */
      authenticatorData: string
      /** Signature of the passkey. 1–4,096 characters. */
      signature: string
      /** User handle of the person. Not read. Up to 128 characters. */
      userHandle?: string | null
    }
  }
}

export interface ConfirmedSession {
  /** Id of the session. */
  id: string
  /** Time of the assertion, in seconds since 1970-01-01 UTC. */
  assertedAt: number
  /** Time until which the session can add and delete passkeys, create keys and invitations, and change roles, in seconds since 1970-01-01 UTC. */
  expiresAt: number
}

export interface Passkey {
  /** Id of the passkey, in base64url. */
  id: string
  /** Name that the person gave it. Absent: none. */
  title?: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last sign-in, in seconds since 1970-01-01 UTC. Absent: not used yet. */
  lastUsedAt?: number
}

export interface PasskeyUpdate {
  /** Name of the passkey. `null` removes it. 1–255 characters after removal of leading and trailing white space. */
  title: string | null
}

export interface Membership {
  /** Id of the member. */
  id: string
  /** Role of the member. */
  role: "owner" | "manager" | "staff" | "developer"
  /** The merchant. */
  merchant: {
    /** Id of the merchant. */
    id: string
    /** Name of the venue. */
    name: string
  }
  /** Whether the merchant is suspended: nobody can sign in to it. */
  suspended: boolean
  /** Whether the session of the request is of this membership. */
  current: boolean
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
  /** Whether prices include tax. Default: `true`. */
  pricesIncludeTax?: boolean | 0 | 1 | null | undefined
  /** Tax rate in percent of taxable products without a rate of their own. Default: `0`. 0–100 with up to 4 decimal places. */
  taxRate?: number | string | null | undefined
  /** Where tax is rounded. `rate`: once for each tax rate of an order. `line`: in each line. Default: `rate`. */
  taxRounding?: "rate" | "line" | null | undefined
  /** Time when the venue's business day starts, in its time zone: `HHMM`, `0000` to `2359`. Default: `0400`. */
  dayStartsAt?: string | null | undefined
  /** Language of the names and descriptions, as a BCP 47 tag. Absent: detected from their script, where it is not Latin. 2–35 characters. */
  language?: string | null | undefined
  /** Address of the logo. An upload sets it. 1–2,048 characters. */
  logo?: string | null | undefined
  /** Color of headings and links on pages for guests: `#rrggbb`. Pages make it darker or lighter where its contrast is too low. Up to 7 characters. */
  color?: string | null | undefined
  /** Postal address. */
  address?: {
    /** Street and number. Up to 255 characters after removal of leading and trailing white space. */
    street?: string | null | undefined
    /** Postal code. Up to 255 characters after removal of leading and trailing white space. */
    postalCode?: string | null | undefined
    /** City. Up to 255 characters after removal of leading and trailing white space. */
    city?: string | null | undefined
    /** State or region. Up to 255 characters after removal of leading and trailing white space. */
    region?: string | null | undefined
    /** ISO 3166-1 alpha-2 code of the country. Up to 2 characters. */
    country?: string | null | undefined
  } | null | undefined
  /** Phone number. 1–32 characters after removal of leading and trailing white space. */
  phone?: string | null | undefined
  /** Address of the website. 1–2,048 characters. */
  website?: string | null | undefined
  /** Opening hours, by the clock of the venue. Shown to guests; they close no menu. Up to 50 elements. */
  openingHours?: Array<{
    /** Weekdays with these hours. Up to 7 elements without duplicates. */
    days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Time when the venue opens: `HHMM`, `0000` to `2359`. */
    opens: string
    /** Time when the venue closes: `HHMM`, up to `2400`. A time before `opens` is on the next day. */
    closes: string
  }> | null | undefined
  /** Where the data is. `d1`: in the database that merchants share. `object`: in a database of its own. Default: the variable `DEFAULT_HOME`, else `d1`. */
  home?: "d1" | "object" | null | undefined
  /** Region near which the database of its own is created. Requires `home` to be `object`. */
  location?: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "apac-ne" | "apac-se" | "oc" | "afr" | "me" | null | undefined
  /** Jurisdiction that the database of its own stays in. Requires `home` to be `object`. */
  jurisdiction?: "eu" | null | undefined
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
  /** Whether prices include tax. Default: `true`. */
  pricesIncludeTax?: boolean | 0 | 1 | null | undefined
  /** Tax rate in percent of taxable products without a rate of their own. Default: `0`. 0–100 with up to 4 decimal places. */
  taxRate?: number | string | null | undefined
  /** Where tax is rounded. `rate`: once for each tax rate of an order. `line`: in each line. Default: `rate`. */
  taxRounding?: "rate" | "line" | null | undefined
  /** Time when the venue's business day starts, in its time zone: `HHMM`, `0000` to `2359`. Default: `0400`. */
  dayStartsAt?: string | null | undefined
  /** Language of the names and descriptions, as a BCP 47 tag. Absent: detected from their script, where it is not Latin. 2–35 characters. */
  language?: string | null | undefined
  /** Address of the logo. An upload sets it. 1–2,048 characters. */
  logo?: string | null | undefined
  /** Color of headings and links on pages for guests: `#rrggbb`. Pages make it darker or lighter where its contrast is too low. Up to 7 characters. */
  color?: string | null | undefined
  /** Postal address. */
  address?: {
    /** Street and number. Up to 255 characters after removal of leading and trailing white space. */
    street?: string | null | undefined
    /** Postal code. Up to 255 characters after removal of leading and trailing white space. */
    postalCode?: string | null | undefined
    /** City. Up to 255 characters after removal of leading and trailing white space. */
    city?: string | null | undefined
    /** State or region. Up to 255 characters after removal of leading and trailing white space. */
    region?: string | null | undefined
    /** ISO 3166-1 alpha-2 code of the country. Up to 2 characters. */
    country?: string | null | undefined
  } | null | undefined
  /** Phone number. 1–32 characters after removal of leading and trailing white space. */
  phone?: string | null | undefined
  /** Address of the website. 1–2,048 characters. */
  website?: string | null | undefined
  /** Opening hours, by the clock of the venue. Shown to guests; they close no menu. Up to 50 elements. */
  openingHours?: Array<{
    /** Weekdays with these hours. Up to 7 elements without duplicates. */
    days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Time when the venue opens: `HHMM`, `0000` to `2359`. */
    opens: string
    /** Time when the venue closes: `HHMM`, up to `2400`. A time before `opens` is on the next day. */
    closes: string
  }> | null | undefined
}

export interface DamagedRow {
  /** Name of the table. */
  table: string
  /** Id of the row; of a delivery, the id of its event; of limits, the id of their coupon. */
  id: string
  /** Fields whose stored values do not fit their schema. */
  fields: Array<string>
}

export interface Usage {
  /** Number of objects by resource and mode. */
  objects: {
    /** Number of objects by mode. */
    products: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    modifiers: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    menus: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    coupons: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    customers: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    tags: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
    /** Number of objects by mode. */
    webhooks: {
      /** Number of live objects. */
      live: number
      /** Number of test objects. */
      test: number
    }
  }
  /** Size of all stored values in bytes, without indexes. */
  bytes: number
  /** Deliveries to webhooks. */
  deliveries: {
    /** Deliveries that wait for an attempt. */
    pending: number
    /** Deliveries whose attempts have all failed, of the last 30 days. */
    failed: number
    /** Time of the oldest pending delivery, in seconds since 1970-01-01 UTC. Absent: none. */
    oldestPendingAt?: number
  }
}

export interface FailingWebhook {
  /** Id of the webhook. */
  id: string
  /** Name of the webhook. */
  title: string
  /** Mode of the webhook. */
  mode: "live" | "test"
  /** Whether the service sends events to the webhook. */
  active: boolean
  /** Reason why the service deactivated the webhook. */
  disabledReason?: string
  /** Failed attempts since the last success. */
  failures: number
  /** Time of the first of them, in seconds since 1970-01-01 UTC. Absent: none. */
  failingSince?: number
  /** Deliveries of the last 30 days whose attempts have all failed. At most 1,000. */
  failed: number
  /** The merchant of the webhook. */
  merchant: {
    /** Id of the merchant. */
    id: string
    /** Name of the venue. */
    name: string
  }
}

export interface MoveCreate {
  /** Where the data goes. `d1`: the database that merchants share. `object`: a new database of its own. */
  home: "d1" | "object"
  /** Region near which the database of its own is created. Requires `home` to be `object`. */
  location?: "wnam" | "enam" | "sam" | "weur" | "eeur" | "apac" | "apac-ne" | "apac-se" | "oc" | "afr" | "me" | null | undefined
  /** Jurisdiction that the database of its own stays in. Requires `home` to be `object`. */
  jurisdiction?: "eu" | null | undefined
}

export interface Move {
  /** `copying`: rows are copied while the merchant trades. `fenced`: writes wait, the last changes are copied. `verifying`: writes wait, all tables are compared. `done`, `failed`: the end. A move that failed has changed nothing. */
  state: "copying" | "fenced" | "verifying" | "done" | "failed"
  /** Where the data goes. `d1`: the database that merchants share. `object`: a new database of its own. */
  home: "d1" | "object"
  /** Region near which the database is created. */
  location?: string
  /** Jurisdiction that the database stays in. */
  jurisdiction?: string
  /** Number of rows that were copied. */
  rows: number
  /** Time of the request, in seconds since 1970-01-01 UTC. */
  startedAt: number
  /** Time of the end, in seconds since 1970-01-01 UTC. Absent while the move runs. */
  endedAt?: number
  /** How long writes waited, in milliseconds. Absent unless the move is done. */
  fencedMs?: number
  /** Why the move failed. Absent unless it did. */
  reason?: string
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
  /** Whether prices include tax. Default: `true`. */
  pricesIncludeTax: boolean
  /** Tax rate in percent of taxable products without a rate of their own. Default: `0`. 0–100 with up to 4 decimal places. */
  taxRate: number
  /** Where tax is rounded. `rate`: once for each tax rate of an order. `line`: in each line. Default: `rate`. */
  taxRounding: "rate" | "line"
  /** Time when the venue's business day starts, in its time zone: `HHMM`, `0000` to `2359`. Default: `0400`. */
  dayStartsAt: string
  /** Language of the names and descriptions, as a BCP 47 tag. Absent: detected from their script, where it is not Latin. 2–35 characters. */
  language?: string
  /** Address of the logo. An upload sets it. 1–2,048 characters. */
  logo?: string
  /** Color of headings and links on pages for guests: `#rrggbb`. Pages make it darker or lighter where its contrast is too low. Up to 7 characters. */
  color?: string
  /** Postal address. */
  address?: {
    /** Street and number. Up to 255 characters after removal of leading and trailing white space. */
    street?: string
    /** Postal code. Up to 255 characters after removal of leading and trailing white space. */
    postalCode?: string
    /** City. Up to 255 characters after removal of leading and trailing white space. */
    city?: string
    /** State or region. Up to 255 characters after removal of leading and trailing white space. */
    region?: string
    /** ISO 3166-1 alpha-2 code of the country. Up to 2 characters. */
    country?: string
  }
  /** Phone number. 1–32 characters after removal of leading and trailing white space. */
  phone?: string
  /** Address of the website. 1–2,048 characters. */
  website?: string
  /** Opening hours, by the clock of the venue. Shown to guests; they close no menu. Up to 50 elements. */
  openingHours?: Array<{
    /** Weekdays with these hours. Up to 7 elements without duplicates. */
    days: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
    /** Time when the venue opens: `HHMM`, `0000` to `2359`. */
    opens: string
    /** Time when the venue closes: `HHMM`, up to `2400`. A time before `opens` is on the next day. */
    closes: string
  }>
  /** Where the data is: `d1` is the database that merchants share, `object` a database of its own. Shown to operators only. */
  home?: "d1" | "object"
  /** Region near which the database of its own was created. Absent if none was chosen. */
  location?: string
  /** Jurisdiction that the database of its own stays in. Absent if none was chosen. */
  jurisdiction?: string
  /** Time of creation, in seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change. */
  updatedAt: number
  /** `suspended`: keys are rejected, guests see a notice, deliveries wait. `closed`: the same, until the data is deleted. */
  status: "active" | "suspended" | "closed"
  /** Time of the suspension, in seconds since 1970-01-01 UTC. Absent unless suspended. */
  suspendedAt?: number
  /** Time of the closure, in seconds since 1970-01-01 UTC. Absent unless closed. */
  closedAt?: number
  /** End of the grace period, in seconds since 1970-01-01 UTC: the data is deleted from then on. Absent unless closed. */
  deletesAt?: number
}

export interface KeyCreate {
  /** `live`: the key accesses live objects. `test`: the key accesses test objects. */
  mode: "live" | "test"
  /** Operations that the key allows. Default: all scopes except those of `merchant`, `keys` and `members`. Up to 27 elements without duplicates. */
  scopes?: Array<"products:read" | "products:write" | "modifiers:read" | "modifiers:write" | "menus:read" | "menus:write" | "coupons:read" | "coupons:write" | "customers:read" | "customers:write" | "tags:read" | "tags:write" | "webhooks:read" | "webhooks:write" | "redemptions:read" | "redemptions:write" | "stock:read" | "stock:write" | "events:read" | "events:write" | "audit:read" | "merchant:read" | "merchant:write" | "keys:read" | "keys:write" | "members:read" | "members:write"> | null | undefined
  /** Purpose of the key. 1–255 characters after removal of leading and trailing white space. */
  title?: string | null | undefined
  /** Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future, and no later than that of the key that creates it, which is the default. Default without such a key: never. Integer, 0 or more. */
  expiresAt?: number | string | null | undefined
}

export interface KeyRoll {
  /** How long the old key stays valid, in seconds. Default: 86,400. Integer, 0–604,800. */
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

export interface Backup {
  /** Time of the backup, in seconds since 1970-01-01 UTC. Identifies it. */
  takenAt: number
  /** Size of the file in bytes. */
  bytes: number
  /** Number of rows in the file. */
  rows: number
  /** SHA-256 of the file in hexadecimal digits. Absent in backups of earlier releases. */
  sha256?: string
  /** Time when the file was last loaded into memory and checked, in seconds since 1970-01-01 UTC. Absent in backups of earlier releases. */
  checkedAt?: number
  /** Why the backup cannot be restored, as the last check found. */
  damage?: string
  /** Time when it is deleted, in seconds since 1970-01-01 UTC. */
  expiresAt: number
}

export interface Restore {
  /** Identifies the backup. */
  takenAt: number
  /** `saving`: the data before the restore is backed up. `deleting`: it is deleted. `loading`: the rows of the backup are inserted. `done`: the merchant is restored. `failed`: the backup could not be loaded, and the merchant is as it was. */
  state: "saving" | "deleting" | "loading" | "done" | "failed"
  /** Time of the start, in seconds since 1970-01-01 UTC. */
  startedAt: number
  /** Time to wait before the next request, in seconds: until every isolate rejects the keys. */
  waitSeconds?: number
  /** Identifies the backup of the data before the restore. */
  savedAt?: number
  /** Number of rows that are loaded. */
  rows: number
  /** Number of rows of the backup that is loaded. */
  totalRows?: number
  /** Why the backup could not be loaded. Then the data before the restore is loaded again, or what was loaded of a merchant that was deleted is deleted. */
  reason?: string
  /** Number of rows that were left out, by table: pictures without files, and rows without their object. */
  omitted: Record<string, number>
  /** Time of the end, in seconds since 1970-01-01 UTC. */
  finishedAt?: number
}

export interface MerchantRecovery {
  /** Time of the data, in seconds since 1970-01-01 UTC. */
  at: number
  /** Number of customers that were erased again. */
  erased: number
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
  code: "unauthenticated" | "forbidden" | "merchant_suspended" | "assertion_required" | "not_found" | "gone" | "events_expired" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "malformed_path" | "malformed_body" | "malformed_bookmark" | "invalid_request" | "batch_failed" | "batch_too_large" | "conflict" | "too_many" | "quota_exceeded" | "damaged" | "not_supported" | "idempotency_key_in_use" | "idempotency_key_reused" | "insufficient_stock" | "coupon_not_redeemable" | "precondition_failed" | "rate_limited" | "busy" | "misconfigured" | "unavailable" | "internal"
  /** Id of the request, as in `Request-Id`. */
  requestId: string
  /** All issues of the body or the query. */
  errors?: Array<{
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the issue for people. */
    message: string
    /** Units in stock, with `insufficient_stock`. */
    available?: number
    /** Location in the body: a JSON pointer (RFC 6901). */
    pointer: string
  } | {
    /** Code of the issue for programs, from a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the issue for people. */
    message: string
    /** Units in stock, with `insufficient_stock`. */
    available?: number
    /** Name of the query parameter. */
    parameter: string
  }>
  /** With `coupon_not_redeemable`: all reasons. */
  reasons?: Array<{
    /** Code of the reason for programs. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "ambiguous" | "conflict" | "contradicts" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter" | "stock_not_managed" | "insufficient_stock" | "unresolved_reference" | "precondition_failed" | "damaged" | "forbidden" | "inactive" | "not_started" | "expired" | "limit_reached" | "customer_limit_reached" | "customer_required"
    /** Explanation of the reason for people. */
    message: string
  }>
}

export interface ListProductsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  visible?: boolean | undefined
  /** Returns only objects with exactly this value. */
  sku?: string | undefined
  /** Returns only objects with exactly this value. */
  upc?: string | undefined
  /** Returns only objects that refer to the modifier with this id. */
  modifier?: string | undefined
}

export interface RetrieveProductQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface RetrieveProductByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface ListModifiersQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
}

export interface RetrieveModifierQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface RetrieveModifierByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface ListMenusQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  visible?: boolean | undefined
  /** Returns only objects that refer to the product with this id. */
  product?: string | undefined
}

export interface RetrieveMenuQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface RetrieveMenuByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`, `details`. */
  include?: Array<"externalId" | "version" | "details"> | undefined
}

export interface ListCouponsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only the object with this code. Ignores case and character width. */
  code?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  active?: boolean | undefined
  /** Returns only objects that refer to the product with this id. */
  product?: string | undefined
}

export interface RetrieveCouponQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface RetrieveCouponByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface ListCustomersQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects with exactly this value. */
  email?: string | undefined
  /** Returns only objects with exactly this value. */
  phone?: string | undefined
}

export interface RetrieveCustomerQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface RetrieveCustomerByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface ListTagsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  nfc?: boolean | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  testMode?: boolean | undefined
}

export interface RetrieveTagQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface RetrieveTagByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface ListWebhooksQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only the objects with these ids, all on one page of at most 4 MiB. At most 100 ids, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  active?: boolean | undefined
}

export interface RetrieveWebhookQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface RetrieveWebhookByExternalIdQuery {
  /** Fields to add to each object, with commas between: `externalId`, `version`. */
  include?: Array<"externalId" | "version"> | undefined
}

export interface ListRedemptionsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** Returns only objects with exactly this value. */
  coupon?: string | undefined
  /** Returns only objects with exactly this value. */
  customer?: string | undefined
  /** Returns only objects with exactly this value. */
  order?: string | undefined
  /** Returns only redemptions in this state at the time of the request. */
  state?: "held" | "redeemed" | "released" | "expired" | undefined
}

export interface ListStockQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** `out`, the default: products that are sold out. `low`: products with a managed stock of more than 0 and less than `below`. */
  state?: "out" | "low" | undefined
  /** Limit of low stock. Only with `state=low`. Default: 5. */
  below?: number | undefined
}

export interface ListEventsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** `asc`, the default, is oldest first. `desc` is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only events of these types, separated by commas. A page examines at most 1,000 events, so it may be empty although more follow: continue with `Link`. */
  types?: Array<"order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "stock.changed" | "product.sold_out" | "product.back_in_stock" | "coupon.redeemed" | "coupon.released" | "coupon.limit_reached" | "product.details_updated" | "modifier.details_updated" | "menu.details_updated" | "customer.erased" | "webhook.test"> | undefined
  /** Id of an event. Returns the events after it; with `order=desc`, those before it. `latest` returns an empty page whose `Link` begins after the newest event. */
  after?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only deliveries in this state. A page examines at most 1000 deliveries, so it may be empty and have a next one. */
  state?: "pending" | "delivered" | "failed" | "cancelled" | undefined
}

export interface ListAuditEntriesQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only objects with exactly this value. */
  object?: string | undefined
  /** Returns only objects with exactly this value. */
  key?: string | undefined
  /** Returns only objects with exactly this value. */
  operation?: string | undefined
}

export interface RunBatchQuery {
  /** `objects`: each result has the object as the single operation returns it. */
  return?: "objects" | undefined
  /** Whether to check the batch without changing anything. Results of creates have no id. */
  dryRun?: boolean | undefined
}

export interface ExportObjectsQuery {
  /** Resources to export, separated by commas. Default: all. */
  resources?: Array<"products" | "modifiers" | "menus" | "coupons" | "customers" | "tags" | "webhooks"> | undefined
  /** `jsonl`, the default: JSON Lines. `csv`: comma-separated values of exactly one resource: products, coupons, customers, tags, webhooks. */
  format?: "jsonl" | "csv" | undefined
}

export interface CreateImportQuery {
  /** Resource of the objects. Required for CSV, which takes products, coupons, customers, tags, webhooks. Lines of JSON can name their own. */
  resource?: "products" | "modifiers" | "menus" | "coupons" | "customers" | "tags" | "webhooks" | undefined
  /** Field that selects the object that a row updates. Without such an object, the row creates one. `externalId`, the default: the external id, or the id in rows without one. `sku`: products only. */
  match?: "externalId" | "id" | "sku" | undefined
  /** `missing` deletes the objects with an external id that the file does not name. Objects without one are never deleted. */
  delete?: "missing" | undefined
  /** `set` sets the numbers that the service counts, `stockQuantity` and `timesRedeemed`, to those of the file. By default an import leaves them as they are in objects that exist. Stock is set by adjustments with the reason `count`, which require the scope `stock:write`. */
  counters?: "set" | undefined
  /** Whether the import is applied if no row has an issue. */
  apply?: boolean | undefined
}

export interface ListImportsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListImportErrorsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
}

export interface ListScansQuery {
  /** First day: YYYY-MM-DD. Default: 29 days before the last day. At most 365 days before it. */
  from?: string | undefined
  /** Last day in the time zone of the venue: YYYY-MM-DD. Default: today. */
  to?: string | undefined
}

export interface ListAllScansQuery {
  /** First day: YYYY-MM-DD. Default: 29 days before the last day. At most 365 days before it. */
  from?: string | undefined
  /** Last day in the time zone of the venue: YYYY-MM-DD. Default: today. */
  to?: string | undefined
}

export interface PrintSheetQuery {
  /** Prints only the tags with these ids. At most 100, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Prints only tags whose metadata has the key `area` with this value. Ignores the case of key and value. */
  area?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  nfc?: boolean | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  testMode?: boolean | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Call to action on each card. Default: "Scan for the menu" in the venue's language. */
  text?: string | undefined
  /** Paper format. A layout for stock of one format takes only that. Default: that of the layout. */
  format?: "a4" | "letter" | undefined
  /** Kind of cards: stickers, tents, posters, or labels of Avery stock. Default: `stickers`. */
  layout?: "stickers" | "tents" | "avery-5160" | "avery-l7160" | "avery-22806" | "a6-tents" | "a5-posters" | "round-50" | undefined
  /** Number of positions on the first page that stay empty, for stock that is partly used. Whole pages are not counted. Default: 0. */
  skip?: number | undefined
}

export interface PrintSheetPdfQuery {
  /** Prints only the tags with these ids. At most 100, separated by commas or as a repeated parameter. */
  ids?: Array<string> | undefined
  /** Returns only the objects with these external ids, all on one page of at most 4 MiB. At most 100, with commas between. Percent-encode each one, before the encoding of the query. */
  externalIds?: Array<string> | undefined
  /** Prints only tags whose metadata has the key `area` with this value. Ignores the case of key and value. */
  area?: string | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  nfc?: boolean | undefined
  /** Returns only objects with this value. `1` is `true`, `0` is `false`. */
  testMode?: boolean | undefined
  /** Full-text search. Returns only objects that contain every word or a word with this beginning. Ignores case and accents. */
  q?: string | undefined
  /** Returns only objects changed at or after this time, in seconds since 1970-01-01 UTC. */
  updatedSince?: number | undefined
  /** Call to action on each card. Default: "Scan for the menu" in the venue's language. */
  text?: string | undefined
  /** Paper format. A layout for stock of one format takes only that. Default: that of the layout. */
  format?: "a4" | "letter" | undefined
  /** Kind of cards: stickers, tents, posters, or labels of Avery stock. Default: `stickers`. */
  layout?: "stickers" | "tents" | "avery-5160" | "avery-l7160" | "avery-22806" | "a6-tents" | "a5-posters" | "round-50" | undefined
  /** Number of positions on the first page that stay empty, for stock that is partly used. Whole pages are not counted. Default: 0. */
  skip?: number | undefined
}

export interface TypeCodeQuery {
  /** A code, id or alias of a tag, as a guest typed it. */
  code?: string | undefined
  /** Language of the page. Default: that of the browser. */
  lang?: string | undefined
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

export interface OpenSheetQuery {
  /** Content of the link, which the signature covers. */
  s?: string | undefined
}

export interface OpenSheetPdfQuery {
  /** Content of the link, which the signature covers. */
  s?: string | undefined
}

export interface ReadMenuQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** Shows only products that suit all of these diets, separated by commas: `vegan,gluten_free`. */
  diet?: string | undefined
  /** Shows only products that state their allergens and contain none of these, traces included. Separated by commas: `nuts,milk`. */
  without?: string | undefined
  /** Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
  /** Language of the service's texts and of prices. Default: the language of the browser, else of the menu. */
  lang?: string | undefined
}

export interface ReadAllergenSheetQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** Shows only products that suit all of these diets, separated by commas: `vegan,gluten_free`. */
  diet?: string | undefined
  /** Shows only products that state their allergens and contain none of these, traces included. Separated by commas: `nuts,milk`. */
  without?: string | undefined
  /** Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
  /** Language of the service's texts and of prices. Default: the language of the browser, else of the menu. */
  lang?: string | undefined
}

export interface RetrieveAllergenPdfQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** Shows only products that suit all of these diets, separated by commas: `vegan,gluten_free`. */
  diet?: string | undefined
  /** Shows only products that state their allergens and contain none of these, traces included. Separated by commas: `nuts,milk`. */
  without?: string | undefined
  /** Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
  /** Language of the service's texts and of prices. Default: the language of the browser, else of the menu. */
  lang?: string | undefined
}

export interface RetrieveOfferQuery {
  /** The scanned tag: its id or one of its codes. A tag of another merchant is ignored. */
  tag?: string | undefined
  /** Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. */
  at?: string | undefined
  /** Shows only products that suit all of these diets, separated by commas: `vegan,gluten_free`. */
  diet?: string | undefined
  /** Shows only products that state their allergens and contain none of these, traces included. Separated by commas: `nuts,milk`. */
  without?: string | undefined
  /** Start of a part of a long menu: `nextFrom` of the previous part. */
  from?: string | undefined
}

export interface ListOwnKeysQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListSessionsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListMembersQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListOwnInvitationsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListInvitationsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListOperatorSessionsQuery {

}

export interface ListMerchantsQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only merchants whose name or id contains this text. Ignores the case of A–Z. */
  q?: string | undefined
}

export interface ListFailingWebhooksQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
  /** Returns only merchants whose name or id contains this text. Ignores the case of A–Z. */
  q?: string | undefined
}

export interface ListDamagedRowsQuery {
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
}

export interface ListKeysQuery {
  /** Maximum number of objects on a page. Default: 50. A page has at most 4 MiB, so it may have fewer objects. */
  limit?: number | undefined
  /** Position of the page, from the `Link` header of the previous page. */
  cursor?: string | undefined
  /** `desc` is newest first, `asc` is oldest first. Default: `desc`. */
  order?: "asc" | "desc" | undefined
}

export interface ListBackupsQuery {

}

export interface RebuildTagsQuery {
  /** `cursor` of the previous response. Absent: starts with the first batch. */
  cursor?: string | undefined
}

