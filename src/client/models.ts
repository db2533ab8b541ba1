// Made by `npm run models` from the declarations of the routes.

export interface CouponCreate {
  /** Stored without the white space around it. */
  title: string
  /** Unique in the merchant and mode, whatever its case and width. */
  code: string
  type: "PERCENTAGE" | "FIXED"
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value: number | string
  description?: string | null | undefined
  /** By default `true`. */
  active?: boolean | 0 | 1 | null | undefined
  /** In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether it cannot be combined with other coupons. By default `false`. */
  individualUse?: boolean | 0 | 1 | null | undefined
  /** By default `0`. */
  timesRedeemed?: number | string | null | undefined
  /** Where it is not given and `products` are, it becomes false. By default `true`. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** The products it applies to, by their ids. By default `[]`. */
  products?: Array<string> | null | undefined
}

export interface CouponUpdate {
  /** Stored without the white space around it. */
  title?: string | undefined
  /** Unique in the merchant and mode, whatever its case and width. */
  code?: string | undefined
  type?: "PERCENTAGE" | "FIXED" | undefined
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value?: number | string | undefined
  description?: string | null | undefined
  active?: boolean | 0 | 1 | null | undefined
  /** In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number | string | null | undefined
  /** Whether it cannot be combined with other coupons. */
  individualUse?: boolean | 0 | 1 | null | undefined
  timesRedeemed?: number | string | null | undefined
  /** Where it is not given and `products` are, it becomes false. */
  applyToAllProducts?: boolean | 0 | 1 | null | undefined
  /** The products it applies to, by their ids. */
  products?: Array<string> | null | undefined
}

/** A discount that can be applied to orders. */
export interface Coupon {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
  /** Unique in the merchant and mode, whatever its case and width. */
  code: string
  type: "PERCENTAGE" | "FIXED"
  /** More than 0: an amount, or for PERCENTAGE at most 100; at most 4 decimals. */
  value: number
  description?: string
  active: boolean
  /** In units of the merchant's currency, at most 4 decimals. */
  minimumOrderAmount?: number
  /** Whether it cannot be combined with other coupons. */
  individualUse: boolean
  timesRedeemed: number
  /** Where it is not given and `products` are, it becomes false. */
  applyToAllProducts: boolean
  /** The products it applies to, by their ids. */
  products: Array<string>
}

export interface CustomerCreate {
  /** Stored without the white space around it. */
  firstName: string
  /** Stored without the white space around it. */
  lastName: string
  /** Stored without the white space around it. */
  email?: string | null | undefined
  /** Stored without the white space around it. */
  phone?: string | null | undefined
}

export interface CustomerUpdate {
  /** Stored without the white space around it. */
  firstName?: string | undefined
  /** Stored without the white space around it. */
  lastName?: string | undefined
  /** Stored without the white space around it. */
  email?: string | null | undefined
  /** Stored without the white space around it. */
  phone?: string | null | undefined
}

/** A person who orders from the venue. */
export interface Customer {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  firstName: string
  /** Stored without the white space around it. */
  lastName: string
  /** Stored without the white space around it. */
  email?: string
  /** Stored without the white space around it. */
  phone?: string
}

export interface MenuCreate {
  /** Stored without the white space around it. */
  title: string
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
  /** By default `{}`. */
  branding?: {
    banner?: false | string | null | undefined
    icon?: false | string | null | undefined
  } | null | undefined
  /** At most 5000 items in all sections together. By default `[]`. */
  sections?: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id?: string | null | undefined
    /** Stored without the white space around it. */
    title?: string | null | undefined
    description?: string | null | undefined
    type?: "LIST" | null | undefined
    /** Products by their ids. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

export interface MenuUpdate {
  /** Stored without the white space around it. */
  title?: string | undefined
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
  branding?: {
    banner?: false | string | null | undefined
    icon?: false | string | null | undefined
  } | null | undefined
  /** At most 5000 items in all sections together. */
  sections?: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id?: string | null | undefined
    /** Stored without the white space around it. */
    title?: string | null | undefined
    description?: string | null | undefined
    type?: "LIST" | null | undefined
    /** Products by their ids. */
    items?: Array<string> | null | undefined
  }> | null | undefined
}

/** Products that customers can order, arranged in sections and optionally limited to a time window. */
export interface Menu {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
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
  branding: {
    banner?: false | string
    icon?: false | string
  }
  /** At most 5000 items in all sections together. */
  sections: Array<{
    /** Made by the service; on update, that of a section the menu has. */
    id: string
    /** Stored without the white space around it. */
    title?: string
    description?: string
    type: "LIST"
    /** Products by their ids. */
    items: Array<string>
  }>
}

export interface ModifierCreate {
  /** Stored without the white space around it. */
  title: string
  instructions: string
  description?: string | null | undefined
  /** By default `"CHECKBOX"`. */
  type?: "CHECKBOX" | "RADIO" | null | undefined
  /** By default `{}`. */
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
  /** By default `[]`. */
  options?: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id?: string | null | undefined
    /** Stored without the white space around it. */
    label?: string | null | undefined
    /** In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number | string | null | undefined
    additionalCalories?: number | string | null | undefined
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

export interface ModifierUpdate {
  /** Stored without the white space around it. */
  title?: string | undefined
  instructions?: string | undefined
  description?: string | null | undefined
  type?: "CHECKBOX" | "RADIO" | null | undefined
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
  options?: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id?: string | null | undefined
    /** Stored without the white space around it. */
    label?: string | null | undefined
    /** In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number | string | null | undefined
    additionalCalories?: number | string | null | undefined
    preSelected?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
}

/** Options that can be added to a product. */
export interface Modifier {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
  instructions: string
  description?: string
  type: "CHECKBOX" | "RADIO"
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
  options: Array<{
    /** Unique in the modifier and kept as given; made by the service where none is given. */
    id: string
    /** Stored without the white space around it. */
    label?: string
    /** In units of the merchant's currency, at most 4 decimals. It may lower the price. */
    additionalCost?: number
    additionalCalories?: number
    preSelected?: boolean
  }>
}

export interface ProductCreate {
  /** Stored without the white space around it. */
  title: string
  /** In units of the merchant's currency, at most 4 decimals. */
  price: number | string
  description?: string | null | undefined
  /** Whether customers can see the product. By default `true`. */
  visible?: boolean | 0 | 1 | null | undefined
  /** By default `true`. */
  taxable?: boolean | 0 | 1 | null | undefined
  /** By default `false`. */
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** In percent. */
  taxRate?: number | string | null | undefined
  calories?: number | string | null | undefined
  /** By default `false`. */
  manageStock?: boolean | 0 | 1 | null | undefined
  /** At most 4 decimals; negative when oversold. */
  stockQuantity?: number | string | null | undefined
  /** By default `"SIMPLE"`. */
  type?: "SIMPLE" | null | undefined
  /** Stored without the white space around it. */
  upc?: string | null | undefined
  /** Stored without the white space around it. */
  sku?: string | null | undefined
  /** By default `[]`. */
  images?: Array<{
    url: string
  }> | null | undefined
  /** By default `[]`. */
  metadata?: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
  }> | null | undefined
  /** Modifiers by their ids, in the order they are offered. By default `[]`. */
  modifiers?: Array<string | {
    id: string
  }> | null | undefined
  /** Accepted because the document sends it; not stored. */
  image?: boolean | 0 | 1 | null | undefined
}

export interface ProductUpdate {
  /** Stored without the white space around it. */
  title?: string | undefined
  /** In units of the merchant's currency, at most 4 decimals. */
  price?: number | string | undefined
  description?: string | null | undefined
  /** Whether customers can see the product. */
  visible?: boolean | 0 | 1 | null | undefined
  taxable?: boolean | 0 | 1 | null | undefined
  useCustomTaxRate?: boolean | 0 | 1 | null | undefined
  /** In percent. */
  taxRate?: number | string | null | undefined
  calories?: number | string | null | undefined
  manageStock?: boolean | 0 | 1 | null | undefined
  /** At most 4 decimals; negative when oversold. */
  stockQuantity?: number | string | null | undefined
  type?: "SIMPLE" | null | undefined
  /** Stored without the white space around it. */
  upc?: string | null | undefined
  /** Stored without the white space around it. */
  sku?: string | null | undefined
  images?: Array<{
    url: string
  }> | null | undefined
  metadata?: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
  }> | null | undefined
  /** Modifiers by their ids, in the order they are offered. */
  modifiers?: Array<string | {
    id: string
  }> | null | undefined
}

/** What the merchant sells. */
export interface Product {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
  /** In units of the merchant's currency, at most 4 decimals. */
  price: number
  description?: string
  /** Whether customers can see the product. */
  visible: boolean
  taxable: boolean
  useCustomTaxRate: boolean
  /** In percent. */
  taxRate?: number
  calories?: number
  manageStock: boolean
  /** At most 4 decimals; negative when oversold. */
  stockQuantity?: number
  type: "SIMPLE"
  /** Stored without the white space around it. */
  upc?: string
  /** Stored without the white space around it. */
  sku?: string
  images: Array<{
    url: string
  }>
  metadata: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
  }>
  /** Modifiers by their ids, in the order they are offered. */
  modifiers: Array<string>
}

export interface TagCreate {
  /** Whether the tag has been activated through NFC. By default `false`. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. By default `[]`. */
  metadata?: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
}

export interface TagUpdate {
  /** Whether the tag has been activated through NFC. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. */
  metadata?: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
}

/** A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC. */
export interface Tag {
  id: string
  /** Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt?: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. */
  nfc: boolean
  /** What identifies the location. */
  metadata: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
    /** Whether customers see the entry; by default true. */
    visible: boolean
  }>
  message?: string
  documentCollection?: string
  documentId?: string
  edited?: boolean
  qr?: boolean
  timestamp?: {
    _seconds: number
    _nanoseconds: number
  }
  /** Codes the tag is reached by; the first is the one printed. */
  alias: Array<string>
  /** Where a scan leads. Absent while no public address is configured. */
  url?: string
  /** The QR symbol of `url`, as a picture. */
  qrUrl?: string
}

export interface TagFull {
  id: string
  /** Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt?: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Whether the tag has been activated through NFC. */
  nfc: boolean
  /** What identifies the location. */
  metadata: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
    /** Whether customers see the entry; by default true. */
    visible: boolean
  }>
  message?: string
  documentCollection?: string
  documentId?: string
  edited?: boolean
  qr?: boolean
  timestamp?: {
    _seconds: number
    _nanoseconds: number
  }
  /** Codes the tag is reached by; the first is the one printed. */
  alias: Array<string>
  /** Where a scan leads. Absent while no public address is configured. */
  url?: string
  /** The QR symbol of `url`, as a picture. */
  qrUrl?: string
  /** What a chip is written with: an address that nobody can guess. */
  nfcUrl?: string
}

export interface WebhookCreate {
  /** Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** What it hears of; `*` is everything. By default `[]`. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether it is notified at all. By default `true`. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface WebhookUpdate {
  /** Stored without the white space around it. */
  title?: string | undefined
  /** An https address with a public name as its host. */
  url?: string | undefined
  /** What it hears of; `*` is everything. */
  events?: Array<"*" | "order.created" | "product.created" | "product.updated" | "product.deleted" | "modifier.created" | "modifier.updated" | "modifier.deleted" | "menu.created" | "menu.updated" | "menu.deleted" | "coupon.created" | "coupon.updated" | "coupon.deleted" | "customer.created" | "customer.updated" | "customer.deleted" | "tag.created" | "tag.updated" | "tag.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted"> | null | undefined
  /** Whether it is notified at all. */
  active?: boolean | 0 | 1 | null | undefined
}

export interface Webhook {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** What it hears of; `*` is everything. */
  events: Array<string>
  /** Whether it is notified at all. */
  active: boolean
  /** Why the service switched the webhook off. */
  disabledReason?: string
}

/** A registration that notifies an external endpoint when certain events happen. */
export interface WebhookFull {
  id: string
  testMode: boolean
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  /** Seconds since 1970-01-01 UTC; grows with every change. */
  updatedAt: number
  /** Stored without the white space around it. */
  title: string
  /** An https address with a public name as its host. */
  url: string
  /** What it hears of; `*` is everything. */
  events: Array<string>
  /** Whether it is notified at all. */
  active: boolean
  /** Why the service switched the webhook off. */
  disabledReason?: string
  /** Comes as `Authorization: Bearer` with everything sent to `url`. */
  bearerToken: string
}

export interface EventCreate {
  type: "order.created"
  data: Record<string, unknown>
}

export interface Event {
  /** The same on every attempt; what a receiver drops duplicates by. */
  id: string
  /** One of `/event-types`, or `webhook.test`. */
  type: string
  timestamp: string
  merchantId: string
  testMode: boolean
  /** Grows with every change of the object. */
  version: number
  /** The object as it was shown then. */
  data: Record<string, unknown>
  /** The old values of what was changed; null where there was none. */
  previous?: Record<string, unknown>
}

export interface Delivery {
  eventId: string
  type: string
  state: "pending" | "delivered" | "failed" | "cancelled"
  createdAt: number
  attempts: Array<{
    number: number
    at: number
    status?: number
    durationMs: number
    error?: string
    response?: string
  }>
  nextAttemptAt?: number
}

export interface Recovery {
  since: number | string
}

export interface AuditEntry {
  id: string
  /** Seconds since 1970-01-01 UTC. */
  at: number
  /** The id of an API key, `operator`, or `system`: the service itself. */
  key: string
  requestId?: string
  /** `products.update`, for example. */
  operation: string
  /** The id of what was changed. */
  object: string
  testMode: boolean
}

export interface ScanCount {
  day: string
  channel: "qr" | "nfc" | "link"
  count: number
}

export interface Offer {
  venue: {
    id: string
    name: string
    timezone: string
    currency?: string
    language?: string
    direction: "ltr" | "rtl"
    locale: string
  }
  testMode: boolean
  tag?: {
    id: string
    metadata: Array<{
      key: string
      value: string
    }>
    label: string
  }
  /** The moment, in seconds. */
  availableAt: number
  /** When other menus will be offered; absent where that never changes. */
  nextChangeAt?: number
  /** Titles of the menus that are offered then, where none is now. */
  nextMenus: Array<string>
  menus: Array<{
    id: string
    title: string
    description?: string
    showSectionNavigation: boolean
    allDayMenu: boolean
    begin?: string
    end?: string
    branding: {
      banner?: false | string
      icon?: false | string
    }
    sections: Array<{
      id: string
      title?: string
      description?: string
      type: "LIST"
      products: Array<{
        id: string
        title: string
        price: number
        description?: string
        calories?: number
        images: Array<{
          url: string
        }>
        modifiers: Array<{
          id: string
          title: string
          instructions: string
          description?: string
          type: "CHECKBOX" | "RADIO"
          rules: {
            required?: boolean
            allowedMultiple?: boolean
            selectRestriction?: number
            requireSelectRestriction?: boolean
            enableOptionQuantity?: boolean
          }
          options: Array<{
            id: string
            label?: string
            additionalCost?: number
            additionalCalories?: number
            preSelected?: boolean
          }>
        }>
        soldOut: boolean
      }>
    }>
  }>
}

export interface MerchantCreate {
  /** Stored without the white space around it. */
  name: string
  /** The name of an IANA time zone. By default `UTC`. */
  timezone?: string | null | undefined
  /** An ISO 4217 code. */
  currency?: string | null | undefined
  /** Where live tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  orderingUrl?: string | null | undefined
  /** Where test tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  sandboxUrl?: string | null | undefined
}

export interface MerchantUpdate {
  /** Stored without the white space around it. */
  name?: string | undefined
  /** The name of an IANA time zone. By default `UTC`. */
  timezone?: string | null | undefined
  /** An ISO 4217 code. */
  currency?: string | null | undefined
  /** Where live tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  orderingUrl?: string | null | undefined
  /** Where test tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  sandboxUrl?: string | null | undefined
}

export interface Merchant {
  id: string
  /** Stored without the white space around it. */
  name: string
  /** The name of an IANA time zone. By default `UTC`. */
  timezone: string
  /** An ISO 4217 code. */
  currency?: string
  /** Where live tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  orderingUrl?: string
  /** Where test tags lead. `{tag}`, `{code}`, `{merchant}` and `{metadata.KEY}` are filled in behind the host. */
  sandboxUrl?: string
  createdAt: number
  updatedAt: number
}

export interface KeyCreate {
  mode: "live" | "test"
  /** What the key may do; by default everything. */
  scopes?: Array<"products:read" | "products:write" | "modifiers:read" | "modifiers:write" | "menus:read" | "menus:write" | "coupons:read" | "coupons:write" | "customers:read" | "customers:write" | "tags:read" | "tags:write" | "webhooks:read" | "webhooks:write" | "events:read" | "events:write" | "audit:read"> | null | undefined
  /** Stored without the white space around it. */
  title?: string | null | undefined
  /** In seconds since 1970-01-01 UTC; in the future. By default never. */
  expiresAt?: number | string | null | undefined
}

export interface KeyRoll {
  /** Seconds; by default 86400, at most 604800. */
  overlap?: number | string | null | undefined
}

export interface Key {
  id: string
  title?: string
  scopes: Array<string>
  last4: string
  createdAt: number
  expiresAt?: number
  lastUsedAt?: number
  mode: "live" | "test"
  prefix: string
}

export interface KeyFull {
  id: string
  title?: string
  scopes: Array<string>
  last4: string
  createdAt: number
  expiresAt?: number
  lastUsedAt?: number
  mode: "live" | "test"
  prefix: string
  /** The key itself: shown this one time. */
  key: string
}

export interface TagImport {
  /** Whether the tag has been activated through NFC. */
  nfc?: boolean | 0 | 1 | null | undefined
  /** What identifies the location. */
  metadata?: Array<{
    /** Stored without the white space around it. */
    key: string
    value: string
    /** Whether customers see the entry; by default true. */
    visible?: boolean | 0 | 1 | null | undefined
  }> | null | undefined
  /** Whether the tag leads to the sandbox. By default that of the key's mode. */
  testMode?: boolean | 0 | 1 | null | undefined
  id?: string | null | undefined
  alias?: Array<string> | null | undefined
  message?: string | null | undefined
  documentCollection?: string | null | undefined
  documentId?: string | null | undefined
  edited?: boolean | 0 | 1 | null | undefined
  qr?: boolean | 0 | 1 | null | undefined
  timestamp?: {
    _seconds: number
    _nanoseconds: number
  } | null | undefined
}

export interface Problem {
  /** Where the documentation explains the code. */
  type: string
  title: string
  status: number
  /** What is wrong, in a sentence for people. */
  detail: string
  code: "unauthenticated" | "forbidden" | "not_found" | "gone" | "method_not_allowed" | "unsupported_media_type" | "body_too_large" | "malformed_path" | "malformed_body" | "malformed_bookmark" | "invalid_request" | "conflict" | "idempotency_key_in_use" | "idempotency_key_reused" | "precondition_failed" | "rate_limited" | "busy" | "unavailable" | "internal"
  /** The same as in `Request-Id`. */
  requestId: string
  /** Every fault of the body or the query. */
  errors?: Array<{
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    message: string
    /** Where in the body: a JSON pointer (RFC 6901). */
    pointer: string
  } | {
    code: "required" | "invalid_type" | "invalid_format" | "invalid_value" | "invalid_character" | "too_short" | "too_long" | "too_small" | "too_large" | "too_precise" | "too_many" | "duplicate" | "conflict" | "not_found" | "read_only_field" | "unknown_field" | "unknown_parameter"
    message: string
    /** The name of the query parameter. */
    parameter: string
  }>
}

export interface ListCouponsQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
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
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
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

export interface ListMenusQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  visible?: boolean | undefined
}

export interface ListModifiersQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
}

export interface ListProductsQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
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

export interface ListTagsQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
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
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  active?: boolean | undefined
}

export interface ListEventsQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** The id of the last event that is known already. */
  after?: string | undefined
}

export interface ListDeliveriesQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  state?: "pending" | "delivered" | "failed" | "cancelled" | undefined
}

export interface ListAuditEntriesQuery {
  /** Objects on a page; by default 50. */
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
  from?: string | undefined
  to?: string | undefined
}

export interface PrintSheetQuery {
  /** Tags on a sheet: 1 to 100, by default 100. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  nfc?: boolean | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  testMode?: boolean | undefined
  /** Paper, by default `a4`. */
  format?: "a4" | "letter" | undefined
  /** Stickers, the default, or tents to stand on tables. */
  layout?: "tents" | "stickers" | undefined
}

export interface PrintSheetPdfQuery {
  /** Tags on a sheet: 1 to 100, by default 100. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
  /** Only these objects, all on one page: at most 100 ids with commas between. */
  ids?: Array<string> | undefined
  /** Only objects changed at or after this time, in seconds. */
  updatedSince?: number | undefined
  /** Only objects in whose texts every word, or its beginning, occurs; case and accents do not count. */
  q?: string | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  nfc?: boolean | undefined
  /** Only objects where this is so, or is not; `1` and `0` say the same. */
  testMode?: boolean | undefined
  /** Paper, by default `a4`. */
  format?: "a4" | "letter" | undefined
  /** Stickers, the default, or tents to stand on tables. */
  layout?: "tents" | "stickers" | undefined
}

export interface DrawPNGQuery {
  /** Width and height in pixels, 64 to 2,048, by default 512; taken down to a whole number of pixels a module. */
  size?: number | undefined
  /** Quiet zone in modules, 4 to 16, by default 4. */
  margin?: number | undefined
  /** Error correction; by default the highest that takes no more modules than M. */
  ecc?: "L" | "M" | "Q" | "H" | undefined
}

export interface DrawSVGQuery {
  /** Width and height in pixels, 64 to 2,048, by default 512; taken down to a whole number of pixels a module. */
  size?: number | undefined
  /** Quiet zone in modules, 4 to 16, by default 4. */
  margin?: number | undefined
  /** Error correction; by default the highest that takes no more modules than M. */
  ecc?: "L" | "M" | "Q" | "H" | undefined
}

export interface ReadMenuQuery {
  /** The tag that was scanned, by any of its names; others' are ignored. */
  tag?: string | undefined
  /** A moment, in seconds or ISO 8601 with its offset; by default now. */
  at?: string | undefined
  /** A language; by default that of the browser and the menu. */
  lang?: string | undefined
}

export interface RetrieveOfferQuery {
  /** The tag that was scanned, by any of its names; others' are ignored. */
  tag?: string | undefined
  /** A moment, in seconds or ISO 8601 with its offset; by default now. */
  at?: string | undefined
}

export interface ListMerchantsQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
}

export interface ListKeysQuery {
  /** Objects on a page; by default 50. */
  limit?: number | undefined
  /** Where the page begins; taken from the `Link` header of the page before. */
  cursor?: string | undefined
  /** `desc`, the default, is newest first. */
  order?: "asc" | "desc" | undefined
}

