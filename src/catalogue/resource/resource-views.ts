import type * as z from 'zod/mini'
import type { ObjectSchema } from '../../platform/db/query.ts'
import type { RenderContext, Resource } from './definition.ts'

/** Returns the resource with additional fields in the response to create. */
export const withCreatedOnly = <
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  CreatedOnly extends object,
  Details extends object,
>(
  resource: Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, object, Details>,
  createdOnly: z.ZodMiniType<CreatedOnly>,
  toCreatedOnly: (item: Item) => CreatedOnly,
): Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, CreatedOnly, Details> => ({
  ...resource,
  createdOnly,
  toCreatedOnly,
})

/** Returns the resource with a view that differs from the stored object. */
export function withViews<
  Item extends object,
  View extends object,
  Full extends object,
  CreateIn,
  UpdateIn,
  QueryIn,
  Details extends object,
>(
  resource: Resource<Item, object, object, CreateIn, UpdateIn, QueryIn, object, Details>,
  view: ObjectSchema<View>,
  full: z.ZodMiniType<Full>,
  toView: (item: Item, renderContext: RenderContext) => View,
  toFullView: (item: Item, renderContext: RenderContext) => Full | Promise<Full>,
): Resource<Item, View, Full, CreateIn, UpdateIn, QueryIn, object, Details> {
  const published = Object.keys(resource.item.shape).filter((key) => Object.hasOwn(view.shape, key))
  return { ...resource, published, view, full, toView, toFullView }
}
