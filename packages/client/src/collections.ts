// Made by `npm run models` from the declarations of the resources.

import { collectionAt, detailsAt } from './collection.ts'
import type * as model from './models.ts'
import type { Transport } from './transport.ts'

/** Paths of the resources. */
export const resourcePaths = ['products', 'modifiers', 'menus', 'coupons', 'customers', 'tags', 'webhooks'] as const

/** The operations of each resource. */
export const createCollections = (transport: Transport, at: (path: string) => string) => ({
  products: {
    ...collectionAt<
      model.ProductCreate,
      model.ProductUpdate,
      model.ListProductsQuery,
      model.Product
    >(transport, at('products')),
    ...detailsAt<model.ProductDetailsUpdate, model.ProductDetails>(transport, at('products')),
  },
  modifiers: {
    ...collectionAt<
      model.ModifierCreate,
      model.ModifierUpdate,
      model.ListModifiersQuery,
      model.Modifier
    >(transport, at('modifiers')),
    ...detailsAt<model.ModifierDetailsUpdate, model.ModifierDetails>(transport, at('modifiers')),
  },
  menus: {
    ...collectionAt<
      model.MenuCreate,
      model.MenuUpdate,
      model.ListMenusQuery,
      model.Menu
    >(transport, at('menus')),
    ...detailsAt<model.MenuDetailsUpdate, model.MenuDetails>(transport, at('menus')),
  },
  coupons: collectionAt<
    model.CouponCreate,
    model.CouponUpdate,
    model.ListCouponsQuery,
    model.Coupon
  >(transport, at('coupons')),
  customers: collectionAt<
    model.CustomerCreate,
    model.CustomerUpdate,
    model.ListCustomersQuery,
    model.Customer
  >(transport, at('customers')),
  tags: {
    ...collectionAt<
      model.TagCreate,
      model.TagUpdate,
      model.ListTagsQuery,
      model.Tag,
      model.TagFull
    >(transport, at('tags')),
    ...detailsAt<model.TagDetailsUpdate, model.TagDetails>(transport, at('tags')),
  },
  webhooks: collectionAt<
    model.WebhookCreate,
    model.WebhookUpdate,
    model.ListWebhooksQuery,
    model.Webhook,
    model.WebhookFull,
    model.WebhookCreated
  >(transport, at('webhooks')),
})
