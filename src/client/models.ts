// Made by `npm run models` from the declarations of the routes.

export interface ProductCreate {
  /** What the product is called. Stored without the white space around it. */
  title: string
  /** What one costs. In units of the merchant's currency, at most 4 decimals. */
  price: number | string
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** Whether customers can see the product. By default `true`. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether tax is due on it. By default `true`. */
  taxable?: boolean | 0 | 1 | null | undefined
  /** Whether `taxRate` holds instead of the venue's. By default `false`. */
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** The tax on this product. In percent. */
  taxRate?: number | string | null | undefined
  /** Energy in kilocalories. */
  calories?: number | string | null | undefined
  /** Whether `stockQuantity` counts; a product without stock is then sold out. By default `false`. */
  manageStock?: boolean | 0 | 1 | null | undefined
  /** How many are left. At most 4 decimals; negative when oversold. */
  stockQuantity?: number | string | null | undefined
  /** The kind of product; there is one. By default `"SIMPLE"`. */
  type?: "SIMPLE" | null | undefined
  /** The bar code: UPC, EAN or GTIN. Stored without the white space around it. */
  upc?: string | null | undefined
  /** The number of the product in the stock of the venue. Stored without the white space around it. */
  sku?: string | null | undefined
  /** Pictures, in the order they are shown. By default `[]`. */
  images?: Array<{
    /** Where the picture is: an http or https address. */
    url: string
  }> | null | undefined
  /** Whatever an integration wants to remember. By default `[]`. */
  metadata?: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
  }> | null | undefined
  /** Modifiers by their ids, in the order they are offered. By default `[]`. */
  modifiers?: Array<string | {
    /** The id of a modifier. */
    id: string
  }> | null | undefined
  /** Accepted because the document sends it; not stored. */
  image?: boolean | 0 | 1 | null | undefined
}

export interface ProductUpdate {
  /** What the product is called. Stored without the white space around it. */
  title?: string | undefined
  /** What one costs. In units of the merchant's currency, at most 4 decimals. */
  price?: number | string | undefined
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** Whether customers can see the product. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Whether tax is due on it. */
  taxable?: boolean | 0 | 1 | null | undefined
  /** Whether `taxRate` holds instead of the venue's. */
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** The tax on this product. In percent. */
  taxRate?: number | string | null | undefined
  /** Energy in kilocalories. */
  calories?: number | string | null | undefined
  /** Whether `stockQuantity` counts; a product without stock is then sold out. */
  manageStock?: boolean | 0 | 1 | null | undefined
  /** How many are left. At most 4 decimals; negative when oversold. */
  stockQuantity?: number | string | null | undefined
  /** The kind of product; there is one. */
  type?: "SIMPLE" | null | undefined
  /** The bar code: UPC, EAN or GTIN. Stored without the white space around it. */
  upc?: string | null | undefined
  /** The number of the product in the stock of the venue. Stored without the white space around it. */
  sku?: string | null | undefined
  /** Pictures, in the order they are shown. */
  images?: Array<{
    /** Where the picture is: an http or https address. */
    url: string
  }> | null | undefined
  /** Whatever an integration wants to remember. */
  metadata?: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
  }> | null | undefined
  /** Modifiers by their ids, in the order they are offered. */
  modifiers?: Array<string | {
    /** The id of a modifier. */
    id: string
  }> | null | undefined
}

/** What the merchant sells. */
export interface Product {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the product is called. Stored without the white space around it. */
  title: string
  /** What one costs. In units of the merchant's currency, at most 4 decimals. */
  price: number
  /** Shown below the title; kept exactly. */
  description?: string
  /** Whether customers can see the product. */
  visible: boolean
  /** Whether tax is due on it. */
  taxable: boolean
  /** Whether `taxRate` holds instead of the venue's. */
  useCustomTaxRate: boolean
  /** The tax on this product. In percent. */
  taxRate?: number
  /** Energy in kilocalories. */
  calories?: number
  /** Whether `stockQuantity` counts; a product without stock is then sold out. */
  manageStock: boolean
  /** How many are left. At most 4 decimals; negative when oversold. */
  stockQuantity?: number
  /** The kind of product; there is one. */
  type: "SIMPLE"
  /** The bar code: UPC, EAN or GTIN. Stored without the white space around it. */
  upc?: string
  /** The number of the product in the stock of the venue. Stored without the white space around it. */
  sku?: string
  /** Pictures, in the order they are shown. */
  images: Array<{
    /** Where the picture is: an http or https address. */
    url: string
  }>
  /** Whatever an integration wants to remember. */
  metadata: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
  }>
  /** Modifiers by their ids, in the order they are offered. */
  modifiers: Array<string>
}

export interface ModifierCreate {
  /** What the choice is called. Stored without the white space around it. */
  title: string
  /** What a guest is told to do; may be empty. */
  instructions: string
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** `CHECKBOX`: several options may be chosen. `RADIO`: one. By default `"CHECKBOX"`. */
  type?: "CHECKBOX" | "RADIO" | null | undefined
  /** How options may be chosen. By default `{}`. */
  rules?: {
    /** Whether the modifier is required. */
    required?: boolean | 0 | 1 | null | undefined
    /** Whether several options may be chosen; never with RADIO. */
    allowedMultiple?: boolean | 0 | 1 | null | undefined
    /** How many options may be chosen; 0 or absent is any number. */
    selectRestriction?: number | string | null | undefined
    /** Whether the select restriction is required. */
    requireSelectRestriction?: boolean | 0 | 1 | null | undefined
    /** Enables quantity per option. */
    enableOptionQuantity?: boolean | 0 | 1 | null | undefined
  } | null | undefined
  /** What can be chosen, in the order it is shown. By default `[]`. */
  options?: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id?: string | null | undefined
    /** What the option is called. Stored without the white space around it. */
    label?: string | null | undefined
    /** What the option adds to the price. In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number | string | null | undefined
    /** What the option adds to the energy, in kilocalories. */
    additionalCalories?: number | string | null | undefined
    /** Whether it is chosen until a guest chooses otherwise. */
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

export interface ModifierUpdate {
  /** What the choice is called. Stored without the white space around it. */
  title?: string | undefined
  /** What a guest is told to do; may be empty. */
  instructions?: string | undefined
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** `CHECKBOX`: several options may be chosen. `RADIO`: one. */
  type?: "CHECKBOX" | "RADIO" | null | undefined
  /** How options may be chosen. */
  rules?: {
    /** Whether the modifier is required. */
    required?: boolean | 0 | 1 | null | undefined
    /** Whether several options may be chosen; never with RADIO. */
    allowedMultiple?: boolean | 0 | 1 | null | undefined
    /** How many options may be chosen; 0 or absent is any number. */
    selectRestriction?: number | string | null | undefined
    /** Whether the select restriction is required. */
    requireSelectRestriction?: boolean | 0 | 1 | null | undefined
    /** Enables quantity per option. */
    enableOptionQuantity?: boolean | 0 | 1 | null | undefined
  } | null | undefined
  /** What can be chosen, in the order it is shown. */
  options?: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id?: string | null | undefined
    /** What the option is called. Stored without the white space around it. */
    label?: string | null | undefined
    /** What the option adds to the price. In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number | string | null | undefined
    /** What the option adds to the energy, in kilocalories. */
    additionalCalories?: number | string | null | undefined
    /** Whether it is chosen until a guest chooses otherwise. */
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

/** Options that can be added to a product. */
export interface Modifier {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the choice is called. Stored without the white space around it. */
  title: string
  /** What a guest is told to do; may be empty. */
  instructions: string
  /** Shown below the title; kept exactly. */
  description?: string
  /** `CHECKBOX`: several options may be chosen. `RADIO`: one. */
  type: "CHECKBOX" | "RADIO"
  /** How options may be chosen. */
  rules: {
    /** Whether the modifier is required. */
    required?: boolean
    /** Whether several options may be chosen; never with RADIO. */
    allowedMultiple?: boolean
    /** How many options may be chosen; 0 or absent is any number. */
    selectRestriction?: number
    /** Whether the select restriction is required. */
    requireSelectRestriction?: boolean
    /** Enables quantity per option. */
    enableOptionQuantity?: boolean
  }
  /** What can be chosen, in the order it is shown. */
  options: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id: string
    /** What the option is called. Stored without the white space around it. */
    label?: string
    /** What the option adds to the price. In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number
    /** What the option adds to the energy, in kilocalories. */
    additionalCalories?: number
    /** Whether it is chosen until a guest chooses otherwise. */
    preSelected?: boolean
  }>
}

export interface MenuCreate {
  /** What the menu is called. Stored without the white space around it. */
  title: string
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** Whether customers see a navigation between the sections. By default `true`. */
  showSectionNavigation?: boolean | 0 | 1 | null | undefined
  /** The inverse of showSectionNavigation; not stored. */
  hideCategoryNavigation?: boolean | 0 | 1 | null | undefined
  /** Whether customers can see the menu. By default `true`. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Available at any time. Where it is not given and `begin` and `end` are, it becomes false. By default `true`. */
  allDayMenu?: boolean | 0 | 1 | null | undefined
  /** When the menu begins, by the venue's clock: hours and minutes. Given along with `end`. */
  begin?: string | null | undefined
  /** When the menu ends; before `begin` it is on the next day. */
  end?: string | null | undefined
  /** Pictures of the menu. By default `{}`. */
  branding?: {
    /** The wide picture at the top: an http or https address, or `false` for none. */
    banner?: false | string | null | undefined
    /** The small picture: an http or https address, or `false` for none. */
    icon?: false | string | null | undefined
  } | null | undefined
  /** The parts of the menu, in the order they are shown. At most 5000 items in all sections together. By default `[]`. */
  sections?: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id?: string | null | undefined
    /** What the section is called. Stored without the white space around it. */
    title?: string | null | undefined
    /** Shown below the title; kept exactly. */
    description?: string | null | undefined
    /** How it is laid out; there is one way. */
    type?: "LIST" | null | undefined
    /** Products by their ids. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

export interface MenuUpdate {
  /** What the menu is called. Stored without the white space around it. */
  title?: string | undefined
  /** Shown below the title; kept exactly. */
  description?: string | null | undefined
  /** Whether customers see a navigation between the sections. */
  showSectionNavigation?: boolean | 0 | 1 | null | undefined
  /** The inverse of showSectionNavigation; not stored. */
  hideCategoryNavigation?: boolean | 0 | 1 | null | undefined
  /** Whether customers can see the menu. */
  visible?: boolean | 0 | 1 | null | undefined
  /** Available at any time. Where it is not given and `begin` and `end` are, it becomes false. */
  allDayMenu?: boolean | 0 | 1 | null | undefined
  /** When the menu begins, by the venue's clock: hours and minutes. Given along with `end`. */
  begin?: string | null | undefined
  /** When the menu ends; before `begin` it is on the next day. */
  end?: string | null | undefined
  /** Pictures of the menu. */
  branding?: {
    /** The wide picture at the top: an http or https address, or `false` for none. */
    banner?: false | string | null | undefined
    /** The small picture: an http or https address, or `false` for none. */
    icon?: false | string | null | undefined
  } | null | undefined
  /** The parts of the menu, in the order they are shown. At most 5000 items in all sections together. */
  sections?: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id?: string | null | undefined
    /** What the section is called. Stored without the white space around it. */
    title?: string | null | undefined
    /** Shown below the title; kept exactly. */
    description?: string | null | undefined
    /** How it is laid out; there is one way. */
    type?: "LIST" | null | undefined
    /** Products by their ids. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

/** Products that customers can order, arranged in sections and optionally limited to a time window. */
export interface Menu {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the menu is called. Stored without the white space around it. */
  title: string
  /** Shown below the title; kept exactly. */
  description?: string
  /** Whether customers see a navigation between the sections. */
  showSectionNavigation: boolean
  /** Whether customers can see the menu. */
  visible: boolean
  /** Available at any time. Where it is not given and `begin` and `end` are, it becomes false. */
  allDayMenu: boolean
  /** When the menu begins, by the venue's clock: hours and minutes. Given along with `end`. */
  begin?: string
  /** When the menu ends; before `begin` it is on the next day. */
  end?: string
  /** Pictures of the menu. */
  branding: {
    /** The wide picture at the top: an http or https address, or `false` for none. */
    banner?: false | string
    /** The small picture: an http or https address, or `false` for none. */
    icon?: false | string
  }
  /** The parts of the menu, in the order they are shown. At most 5000 items in all sections together. */
  sections: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id: string
    /** What the section is called. Stored without the white space around it. */
    title?: string
    /** Shown below the title; kept exactly. */
    description?: string
    /** How it is laid out; there is one way. */
    type: "LIST"
    /** Products by their ids. */
    items: Array<string>
  }>
}

export interface CouponCreate {
  /** What the discount is called. Stored without the white space around it. */
  title: string
  /** Unique in the merchant and mode, whatever its case and width. */
  code: string
  /** `PERCENTAGE`: `value` is in percent. `FIXED`: in units of the currency. */
  type: "PERCENTAGE" | "FIXED"
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value: number | string
  /** What it is about; kept exactly. */
  description?: string | null | undefined
  /** Whether it can be redeemed. By default `true`. */
  active?: boolean | 0 | 1 | null | undefined
  /** What an order must come to. In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether it cannot be combined with other coupons. By default `false`. */
  individualUse?: boolean | 0 | 1 | null | undefined
  /** How often it was redeemed. By default `0`. */
  timesRedeemed?: number | string | null | undefined
  /** Where it is not given and `products` are, it becomes false. By default `true`. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** The products it applies to, by their ids. By default `[]`. */
  products?: Array<string> | null | undefined
}

export interface CouponUpdate {
  /** What the discount is called. Stored without the white space around it. */
  title?: string | undefined
  /** Unique in the merchant and mode, whatever its case and width. */
  code?: string | undefined
  /** `PERCENTAGE`: `value` is in percent. `FIXED`: in units of the currency. */
  type?: "PERCENTAGE" | "FIXED" | undefined
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value?: number | string | undefined
  /** What it is about; kept exactly. */
  description?: string | null | undefined
  /** Whether it can be redeemed. */
  active?: boolean | 0 | 1 | null | undefined
  /** What an order must come to. In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether it cannot be combined with other coupons. */
  individualUse?: boolean | 0 | 1 | null | undefined
  /** How often it was redeemed. */
  timesRedeemed?: number | string | null | undefined
  /** Where it is not given and `products` are, it becomes false. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** The products it applies to, by their ids. */
  products?: Array<string> | null | undefined
}

/** A discount that can be applied to orders. */
export interface Coupon {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the discount is called. Stored without the white space around it. */
  title: string
  /** Unique in the merchant and mode, whatever its case and width. */
  code: string
  /** `PERCENTAGE`: `value` is in percent. `FIXED`: in units of the currency. */
  type: "PERCENTAGE" | "FIXED"
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value: number
  /** What it is about; kept exactly. */
  description?: string
  /** Whether it can be redeemed. */
  active: boolean
  /** What an order must come to. In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number
  /** Whether it cannot be combined with other coupons. */
  individualUse: boolean
  /** How often it was redeemed. */
  timesRedeemed: number
  /** Where it is not given and `products` are, it becomes false. */
  applyToAllProducts: boolean
  /** The products it applies to, by their ids. */
  products: Array<string>
}

export interface CustomerCreate {
  /** The given name. Stored without the white space around it. */
  firstName: string
  /** The family name. Stored without the white space around it. */
  lastName: string
  /** An email address; other scripts than Latin are welcome. Stored without the white space around it. */
  email?: string | null | undefined
  /** Digits, spaces, `+ - ( ) .` and an extension behind `x`. Stored without the white space around it. */
  phone?: string | null | undefined
}

export interface CustomerUpdate {
  /** The given name. Stored without the white space around it. */
  firstName?: string | undefined
  /** The family name. Stored without the white space around it. */
  lastName?: string | undefined
  /** An email address; other scripts than Latin are welcome. Stored without the white space around it. */
  email?: string | null | undefined
  /** Digits, spaces, `+ - ( ) .` and an extension behind `x`. Stored without the white space around it. */
  phone?: string | null | undefined
}

/** A person who orders from the venue. */
export interface Customer {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** The given name. Stored without the white space around it. */
  firstName: string
  /** The family name. Stored without the white space around it. */
  lastName: string
  /** An email address; other scripts than Latin are welcome. Stored without the white space around it. */
  email?: string
  /** Digits, spaces, `+ - ( ) .` and an extension behind `x`. Stored without the white space around it. */
  phone?: string
}

export interface TagCreate {
  /** Whether the tag has been activated through NFC. By default `false`. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. By default `[]`. */
  metadata?: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether it belongs to test mode; follows the key that made it. Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
}

export interface TagUpdate {
  /** Whether the tag has been activated through NFC. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. */
  metadata?: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether it belongs to test mode; follows the key that made it. Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
}

/** A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC. */
export interface Tag {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt?: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. */
  nfc: boolean
  /** What identifies the location. */
  metadata: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
    /** Whether customers see the entry; by default true. */
    visible: boolean
  }>
  /** As an earlier system had it. Set by the service. */
  message?: string
  /** As an earlier system had it. Set by the service. */
  documentCollection?: string
  /** As an earlier system had it. Set by the service. */
  documentId?: string
  /** As an earlier system had it. Set by the service. */
  edited?: boolean
  /** As an earlier system had it. Set by the service. */
  qr?: boolean
  /** When an earlier system made it; stands instead of `createdAt`. Set by the service. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. */
    _seconds: number
    /** Nanoseconds into the second. */
    _nanoseconds: number
  }
  /** Codes the tag is reached by; the first is the one printed. Set by the service. */
  alias: Array<string>
  /** Where a scan leads. Absent while no public address is configured. Set by the service. */
  url?: string
  /** The QR symbol of `url`, as a picture. Set by the service. */
  qrUrl?: string
}

export interface TagFull {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt?: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. */
  nfc: boolean
  /** What identifies the location. */
  metadata: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
    /** Whether customers see the entry; by default true. */
    visible: boolean
  }>
  /** As an earlier system had it. Set by the service. */
  message?: string
  /** As an earlier system had it. Set by the service. */
  documentCollection?: string
  /** As an earlier system had it. Set by the service. */
  documentId?: string
  /** As an earlier system had it. Set by the service. */
  edited?: boolean
  /** As an earlier system had it. Set by the service. */
  qr?: boolean
  /** When an earlier system made it; stands instead of `createdAt`. Set by the service. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. */
    _seconds: number
    /** Nanoseconds into the second. */
    _nanoseconds: number
  }
  /** Codes the tag is reached by; the first is the one printed. Set by the service. */
  alias: Array<string>
  /** Where a scan leads. Absent while no public address is configured. Set by the service. */
  url?: string
  /** The QR symbol of `url`, as a picture. Set by the service. */
  qrUrl?: string
  /** What a chip is written with: an address that nobody can guess. Set by the service. */
  nfcUrl?: string
}

export interface WebhookCreate {
  /** What the webhook is called. Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** Names of the events that are sent to `url`; `*` stands for all of them. An empty list, the default, sends none, also while `active` is true; only `POST …/test` does. By default `[]`. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether it is notified at all. By default `true`. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface WebhookUpdate {
  /** What the webhook is called. Stored without the white space around it. */
  title?: string | undefined
  /** An https address with a public name as its host. */
  url?: string | undefined
  /** Names of the events that are sent to `url`; `*` stands for all of them. An empty list, the default, sends none, also while `active` is true; only `POST …/test` does. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether it is notified at all. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface Webhook {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the webhook is called. Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** Names of the events that are sent to `url`; `*` stands for all of them. An empty list, the default, sends none, also while `active` is true; only `POST …/test` does. */
  events: Array<string>
  /** Whether it is notified at all. */
  active: boolean
  /** Why the service switched the webhook off. Set by the service. */
  disabledReason?: string
}

/** A registration that notifies an external endpoint when certain events happen. */
export interface WebhookFull {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the webhook is called. Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** Names of the events that are sent to `url`; `*` stands for all of them. An empty list, the default, sends none, also while `active` is true; only `POST …/test` does. */
  events: Array<string>
  /** Whether it is notified at all. */
  active: boolean
  /** Why the service switched the webhook off. Set by the service. */
  disabledReason?: string
  /** Comes as `Authorization: Bearer` with everything sent to `url`. Set by the service. */
  bearerToken: string
}

/** A registration that notifies an external endpoint when certain events happen. */
export interface WebhookCreated {
  /** Sorts by creation. Set by the service. */
  id: string
  /** Whether it belongs to test mode; follows the key that made it. Set by the service. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. Set by the service. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. Set by the service. */
  updatedAt: number
  /** What the webhook is called. Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** Names of the events that are sent to `url`; `*` stands for all of them. An empty list, the default, sends none, also while `active` is true; only `POST …/test` does. */
  events: Array<string>
  /** Whether it is notified at all. */
  active: boolean
  /** Why the service switched the webhook off. Set by the service. */
  disabledReason?: string
  /** Comes as `Authorization: Bearer` with everything sent to `url`. Set by the service. */
  bearerToken: string
  /** What deliveries are signed with, as Standard Webhooks writes it. Shown in this response only. */
  secret: string
}

export interface EventCreate {
  /** What happened; the others are raised by the service. */
  type: "order.created"
  /** The order: an object with at most 100 levels. Stored and sent as the same JSON text, without white space between its parts. A name that occurs twice in one object is rejected. */
  data: Record<string, unknown>
}

export interface Event {
  /** The same on every attempt; what a receiver drops duplicates by. */
  id: string
  /** One of `/event-types`, or `webhook.test`. */
  type: string
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string
  /** Whose event it is. */
  merchantId: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Grows with every change of the object. */
  version: number
  /** The object as it was shown then. */
  data: Record<string, unknown>
  /** The old values of what was changed; null where there was none. */
  previous?: Record<string, unknown>
}

export interface ListedEvent {
  /** The same on every attempt; what a receiver drops duplicates by. */
  id: string
  /** One of `/event-types`, or `webhook.test`. */
  type: string
  /** When it happened: ISO 8601, in UTC. */
  timestamp: string
  /** Whose event it is. */
  merchantId: string
  /** Whether the object belongs to test mode. */
  testMode: boolean
  /** Grows with every change of the object. */
  version: number
  /** The object as it was shown then. Absent, like `previous`, if the key may not read the resource; `order.created` always has it. */
  data?: Record<string, unknown>
  /** The old values of what was changed; null where there was none. */
  previous?: Record<string, unknown>
}

export interface Delivery {
  /** The event that is delivered. */
  eventId: string
  /** Its type. */
  type: string
  /** `pending`: an attempt will follow. `failed`: none will. `cancelled`: the webhook was switched off. */
  state: "pending" | "delivered" | "failed" | "cancelled"
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** What was tried, oldest first. */
  attempts: Array<{
    /** Counts from 1. */
    number: number
    /** When it was tried, in seconds since 1970-01-01 UTC. */
    at: number
    /** What the endpoint answered; absent where it did not. */
    status?: number
    /** How long it took, in milliseconds. */
    durationMs: number
    /** What went wrong where no answer came. */
    error?: string
    /** The first 16 KiB of the answer. */
    response?: string
  }>
  /** Earliest time of the next attempt, in seconds since 1970-01-01 UTC; only while `pending`. A broken endpoint gets one call every 30 seconds, so that deliveries behind others are attempted later. */
  nextAttemptAt?: number
}

export interface Recovery {
  /** From when on, in seconds since 1970-01-01 UTC; at most 30 days ago. */
  since: number | string
}

export interface AuditEntry {
  /** Sorts by creation. */
  id: string
  /** When. Seconds since 1970-01-01 UTC. */
  at: number
  /** Whose change it was. Id of the API key, `operator`, or `system` for changes by the service itself. */
  key: string
  /** The request that made it, as its answer named it; absent where none did. */
  requestId?: string
  /** What was done. Resource and action, for example `products.update`. */
  operation: string
  /** Id of the changed object. */
  object: string
  /** Whether it belongs to test mode; follows the key that made it. */
  testMode: boolean
}

export interface ScanCount {
  /** A day by the venue's clock: YYYY-MM-DD. */
  day: string
  /** `qr`: its symbol was scanned. `nfc`: its chip was tapped. `link`: its address was opened otherwise. */
  channel: "qr" | "nfc" | "link"
  /** How often. */
  count: number
}

export interface Offer {
  /** Who offers it. */
  venue: {
    /** The merchant's id. */
    id: string
    /** What the venue is called. */
    name: string
    /** The IANA name of its time zone. */
    timezone: string
    /** What prices are in: an ISO 4217 code. Absent: not known. */
    currency?: string
    /** The language the menu is written in, as far as it can be told: BCP 47. */
    language?: string
    /** Which way that language is written. */
    direction: "ltr" | "rtl"
    /** How prices and times are written: BCP 47. */
    locale: string
  }
  /** Whether it is the offer of test mode. */
  testMode: boolean
  /** The tag that was scanned. */
  tag?: {
    /** Its id. */
    id: string
    /** What guests may see of its metadata. */
    metadata: Array<{
      /** What the entry is called. */
      key: string
      /** Kept exactly. */
      value: string
    }>
    /** What guests are told of it. */
    label: string
  }
  /** Time of the menu, in seconds since 1970-01-01 UTC. */
  availableAt: number
  /** Time at which other menus open or close, in seconds. Absent if the opening hours never change it. */
  nextChangeAt?: number
  /** Titles of the menus that open at `nextChangeAt`. Empty while a menu is open. */
  nextMenus: Array<string>
  /** What can be ordered at the moment. */
  menus: Array<{
    /** Sorts by creation. */
    id: string
    /** What the menu is called. */
    title: string
    /** Shown below the title; kept exactly. */
    description?: string
    /** Whether a navigation between the sections is shown. */
    showSectionNavigation: boolean
    /** Available at any time. */
    allDayMenu: boolean
    /** When the menu begins, by the venue's clock: hours and minutes. */
    begin?: string
    /** When the menu ends; before `begin` it is on the next day. */
    end?: string
    /** Pictures of the menu. */
    branding: {
      /** The wide picture at the top: an http or https address, or `false` for none. */
      banner?: false | string
      /** The small picture: an http or https address, or `false` for none. */
      icon?: false | string
    }
    /** The parts of the menu, in the order they are shown. */
    sections: Array<{
      /** Made by the service. */
      id: string
      /** What the section is called. */
      title?: string
      /** Shown below the title; kept exactly. */
      description?: string
      /** How it is laid out; there is one way. */
      type: "LIST"
      /** What the section offers, in the order it is shown. */
      products: Array<{
        /** Sorts by creation. */
        id: string
        /** What the product is called. */
        title: string
        /** What one costs, in units of the merchant's currency. */
        price: number
        /** Shown below the title; kept exactly. */
        description?: string
        /** Energy in kilocalories. */
        calories?: number
        /** Pictures, in the order they are shown. */
        images: Array<{
          /** Where the picture is: an http or https address. */
          url: string
        }>
        /** What can be chosen along with it: ids of `modifiers`. */
        modifiers: Array<string>
        /** Whether none is left. */
        soldOut: boolean
      }>
    }>
  }>
  /** What can be chosen along with the products. Modifiers that a product in `menus` names, each once. */
  modifiers: Array<{
    /** Sorts by creation. */
    id: string
    /** What the choice is called. */
    title: string
    /** What a guest is told to do; may be empty. */
    instructions: string
    /** Shown below the title; kept exactly. */
    description?: string
    /** `CHECKBOX`: several options may be chosen. `RADIO`: one. */
    type: "CHECKBOX" | "RADIO"
    /** How options may be chosen. */
    rules: {
      /** Whether something must be chosen. */
      required?: boolean
      /** Whether several options may be chosen. */
      allowedMultiple?: boolean
      /** How many options may be chosen; 0 or absent is any number. */
      selectRestriction?: number
      /** Whether exactly so many must be chosen. */
      requireSelectRestriction?: boolean
      /** Whether an option may be chosen more than once. */
      enableOptionQuantity?: boolean
    }
    /** What can be chosen, in the order it is shown. */
    options: Array<{
      /** Unique in the modifier. */
      id: string
      /** What the option is called. */
      label?: string
      /** What the option adds to the price, in units of the merchant's currency. */
      additionalCost?: number
      /** What the option adds to the energy, in kilocalories. */
      additionalCalories?: number
      /** Whether it is chosen until a guest chooses otherwise. */
      preSelected?: boolean
    }>
  }>
  /** Whether something is left out because it exceeds the limits of the hosted menu. Whether the catalogue is too large to be shown completely. */
  truncated: boolean
  /** The value of `from` for the rest of the menu. Absent: this is the last part. */
  nextFrom?: number
}

export interface MerchantCreate {
  /** What the venue is called. Stored without the white space around it. */
  name: string
  /** Name of an IANA time zone. Default: `UTC`. */
  timezone?: string | null | undefined
  /** ISO 4217 code of the currency. */
  currency?: string | null | undefined
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
  orderingUrl?: string | null | undefined
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
  sandboxUrl?: string | null | undefined
}

export interface MerchantUpdate {
  /** What the venue is called. Stored without the white space around it. */
  name?: string | undefined
  /** Name of an IANA time zone. Default: `UTC`. */
  timezone?: string | null | undefined
  /** ISO 4217 code of the currency. */
  currency?: string | null | undefined
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
  orderingUrl?: string | null | undefined
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
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
  /** Sorts by creation. */
  id: string
  /** What the venue is called. Stored without the white space around it. */
  name: string
  /** Name of an IANA time zone. Default: `UTC`. */
  timezone: string
  /** ISO 4217 code of the currency. */
  currency?: string
  /** Address that live tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
  orderingUrl?: string
  /** Address that test tags redirect to. Placeholders after the host: `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}`. */
  sandboxUrl?: string
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
}

export interface KeyCreate {
  /** Whether it sees live objects, or those of test mode. */
  mode: "live" | "test"
  /** What it may do. Scopes of the key. Default: all scopes. */
  scopes?: Array<"products:read" | "products:write" | "modifiers:read" | "modifiers:write" | "menus:read" | "menus:write" | "coupons:read" | "coupons:write" | "customers:read" | "customers:write" | "tags:read" | "tags:write" | "webhooks:read" | "webhooks:write" | "events:read" | "events:write" | "audit:read"> | null | undefined
  /** What the key is for. Stored without the white space around it. */
  title?: string | null | undefined
  /** Seconds since 1970-01-01 UTC; absent: never. Time of expiry, in seconds since 1970-01-01 UTC. Must be in the future. Default: never. */
  expiresAt?: number | string | null | undefined
}

export interface KeyRoll {
  /** How long the old key stays valid, in seconds. Default: 86400. Maximum: 604800. */
  overlap?: number | string | null | undefined
}

export interface Key {
  /** Sorts by creation. */
  id: string
  /** What the key is for. */
  title?: string
  /** What it may do. */
  scopes: Array<string>
  /** How the key ends. */
  last4: string
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; absent: never. */
  expiresAt?: number
  /** Seconds since 1970-01-01 UTC; absent: not yet. */
  lastUsedAt?: number
  /** Whether it sees live objects, or those of test mode. */
  mode: "live" | "test"
  /** How the key begins. */
  prefix: string
}

export interface KeyFull {
  /** Sorts by creation. */
  id: string
  /** What the key is for. */
  title?: string
  /** What it may do. */
  scopes: Array<string>
  /** How the key ends. */
  last4: string
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; absent: never. */
  expiresAt?: number
  /** Seconds since 1970-01-01 UTC; absent: not yet. */
  lastUsedAt?: number
  /** Whether it sees live objects, or those of test mode. */
  mode: "live" | "test"
  /** How the key begins. */
  prefix: string
  /** The key itself. Returned only once. */
  key: string
}

export interface TagImport {
  /** Whether the tag has been activated through NFC. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. */
  metadata?: Array<{
    /** What the entry is called. Stored without the white space around it. */
    key: string
    /** Kept exactly. */
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether it belongs to test mode; follows the key that made it. Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
  /** The id it had; made by the service where none is given. */
  id?: string | null | undefined
  /** What it was reached by besides. */
  alias?: Array<string> | null | undefined
  /** As an earlier system had it. */
  message?: string | null | undefined
  /** As an earlier system had it. */
  documentCollection?: string | null | undefined
  /** As an earlier system had it. */
  documentId?: string | null | undefined
  /** As an earlier system had it. */
  edited?: boolean | 0 | 1 | null | undefined
  /** As an earlier system had it. */
  qr?: boolean | 0 | 1 | null | undefined
  /** When an earlier system made it; stands instead of `createdAt`. */
  timestamp?: {
    /** Seconds since 1970-01-01 UTC. */
    _seconds: number
    /** Nanoseconds into the second. */
    _nanoseconds: number
  } | null | undefined
}

export interface RetainedTable {
  /** Name of the table. */
  name: string
  /** Time that its rows are kept, in seconds. */
  retentionSeconds: number
  /** Time of its oldest row, in seconds since 1970-01-01 UTC; absent while it is empty. */
  oldestAt?: number
  /** Time since the oldest row expired, in seconds; 0 while there is no expired row. Purges run every minute. */
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
  /** Where the documentation explains the code. */
  type: string
  /** The same for every problem with this code. */
  title: string
  /** The status of the answer. */
  status: number
  /** What is wrong, in a sentence for people. */
  detail: string
  /** What it is, for programs: one of a closed list. */
  code: "unauthenticated" | "forbidden" | "not_found" | "gone" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "malformed_path" | "malformed_body" | "malformed_bookmark" | "invalid_request" | "conflict" | "too_many" | "damaged" | "idempotency_key_in_use" | "idempotency_key_reused" | "precondition_failed" | "rate_limited" | "busy" | "misconfigured" | "unavailable" | "internal"
  /** The same as in `Request-Id`. */
  requestId: string
  /** Every fault of the body or the query. */
  errors?: Array<{
    /** What is wrong there, for programs: one of a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    /** The same, for people. */
    message: string
    /** Where in the body: a JSON pointer (RFC 6901). */
    pointer: string
  } | {
    /** What is wrong there, for programs: one of a closed list. */
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    /** The same, for people. */
    message: string
    /** The name of the query parameter. */
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
  /** The id of the last event that is known already. */
  after?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Most objects on a page; by default 50. A page has at most 4 MiB, so it may have fewer. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only deliveries in this state. */
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
  /** The first day: YYYY-MM-DD; by default 29 days before the last, and at most 365. */
  from?: string | undefined
  /** The last day: YYYY-MM-DD, by the venue's clock; by default today. */
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
  /** The tag that was scanned, by any of its names; others' are ignored. */
  tag?: string | undefined
  /** A moment, in seconds or ISO 8601 with its offset; by default now. */
  at?: string | undefined
  /** The first day: YYYY-MM-DD; by default 29 days before the last, and at most 365. Where on the menu to begin: the number in the link to the rest of a long menu. */
  from?: string | undefined
  /** A language; by default that of the browser and the menu. */
  lang?: string | undefined
}

export interface RetrieveOfferQuery {
  /** The tag that was scanned, by any of its names; others' are ignored. */
  tag?: string | undefined
  /** A moment, in seconds or ISO 8601 with its offset; by default now. */
  at?: string | undefined
  /** The first day: YYYY-MM-DD; by default 29 days before the last, and at most 365. Where on the menu to begin: the number in the link to the rest of a long menu. */
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

