import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Product, ProductDetails } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { currencySymbol, priceHint } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { base } from '../../app/router.ts'
import { hasScope } from '../../app/session.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import type { EditorPart } from '../../objects/editor-parts.ts'
import { CheckField, type EditedForm, NumberField, TextField } from '../../objects/fields.tsx'
import { useSide } from '../../objects/side.ts'
import { describeSoldOut, soldOut } from '../../objects/stock/sold-out.ts'
import { toPictures } from '../../ui/pictures/smaller-pictures.ts'
import { DetailsFields } from './details-fields.tsx'
import {
  type DetailsForm,
  findDetailsErrors,
  getDetailName,
  showDetail,
  toDetails,
  toDetailsForm,
} from './details-form.ts'
import { MenuPlaceFields, useMenuPlaces } from './dish/menu-places.tsx'
import { ModifierRule } from './dish/modifier-rule.tsx'
import { SizesFields } from './dish/sizes-fields.tsx'
import { storeSizes } from './dish/store-sizes.ts'
import { GuestPreview } from './guest-preview.tsx'
import { ModifierList } from './modifier-list.tsx'
import { PictureList } from './picture-list.tsx'
import { findErrors, type ProductBody, type ProductForm, toBody, toForm } from './product-form.ts'
import { store } from './product-store.ts'
import { noteSizes, sizePricesOf } from './size-prices.ts'

/** The editor of a product; without an id, of a new one. */
export function ProductEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { product: texts } = t()
  const details = useSide<ProductDetails, ReturnType<typeof toDetails>, DetailsForm>(id, {
    async read(of, options) {
      const read = await api().products.details(of, options)
      noteSizes([of, read])
      return read
    },
    async update(of, fields, options) {
      const stored = await api().products.updateDetails(of, fields, options)
      noteSizes([of, stored])
      return stored
    },
    toForm: toDetailsForm,
    findErrors: findDetailsErrors,
    toBody: toDetails,
    title: t().details.title,
    nameOf: getDetailName,
    show: showDetail,
  })
  // A picture belongs to an existing product, so those of a new product are uploaded after it is stored.
  const pending = useSignal<readonly File[]>([])
  const pictures: EditorPart = {
    isChanged: () => pending.value.length > 0,
    findErrors: () => new Map(),
    async save(of) {
      for (const file of pending.value) {
        const row = store.find(of) ?? (await store.retrieve(of))
        const [image, smaller] = await toPictures(file)
        await store.upload(row, (options) => api().products.addImage(of, image, { ...options, ...smaller }))
        pending.value = pending.value.filter((each) => each !== file)
      }
      return undefined
    },
  }
  const places = useMenuPlaces(id)
  const mayReadModifiers = hasScope('modifiers:read')
  /** The forms that the editor shows. */
  const fields = useRef<{ id: string | undefined; product: EditedForm<ProductForm>; details: EditedForm<DetailsForm> }>(
    null,
  )
  // Sizes are options of a modifier, which is stored before the product that has it.
  const sizes: EditorPart = {
    // Details without the modifier of their sizes have another entity tag.
    isChanged: () => {
      const before = details.current()?.sizes?.modifier
      return before !== undefined && before !== fields.current?.details.form.sizes?.modifier
    },
    findErrors: () => new Map(),
    async prepare() {
      const { product, details: edited } = fields.current ?? {}
      const typed = edited?.form.sizes
      if (!product || !edited || !typed?.isEdited) return undefined
      const stored = await storeSizes(typed, fields.current?.id)
      edited.set('sizes', stored.sizes)
      const { modifier = '' } = stored.sizes
      const others = product.form.modifiers.filter((each) => each !== typed.modifier && each !== modifier)
      if (!product.form.modifiers.includes(modifier)) product.set('modifiers', [modifier, ...others])
      return stored.undo
    },
    async save(of) {
      await details.follow(of, ['sizes', 'modifierRules'])
      return undefined
    },
  }
  const stored: EditorPart = {
    ...details.part,
    async save(of) {
      const undo = await details.part.save(of)
      // If the person uses the sizes of somebody else, their lowest price may be another one than was typed.
      const lowest = Math.min(...Object.values(sizePricesOf(of) ?? {}))
      const row = store.find(of)
      if (row && Number.isFinite(lowest) && row.item.price !== lowest) await store.update(row, { price: lowest })
      return undo
    },
  }
  return (
    <ObjectEditor<Product, ProductBody, ProductForm>
      id={id}
      titles={texts}
      deleteHint={texts.confirmDeleteHint}
      scope="products:write"
      store={store}
      form={{ toForm, findErrors, toBody }}
      parts={[sizes, stored, pictures, places.part]}
      toCopy={(body) => ({ ...body, sku: null, upc: null })}
      onClose={onClose}
    >
      {(of, row, adopt) => {
        const edited = details.edit(of)
        fields.current = { id: row?.item.id, product: of, details: edited }
        return (
          <>
            {id !== undefined && soldOut.value.has(id) && (
              <p>
                <span class="strong">{describeSoldOut(id)}</span> ·{' '}
                <a href={`${base}/sold-out`}>{t().screens.soldOut}</a>
              </p>
            )}
            <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
            {(!edited.form.sizes || !mayReadModifiers) && (
              <NumberField
                of={of}
                name="price"
                label={texts.price}
                hint={priceHint(of.form.price)}
                unit={currencySymbol()}
              />
            )}
            {mayReadModifiers && (
              <fieldset class="plain" disabled={!details.isLoaded || edited.form.unit !== 'piece'}>
                <SizesFields
                  sizes={edited.form.sizes}
                  modifiers={of.form.modifiers}
                  price={of.form.price}
                  errorOf={of.errorOf}
                  onChange={(sizes, price) => {
                    const before = edited.form.sizes?.modifier
                    edited.set('sizes', sizes)
                    of.clearErrors('options')
                    if (price !== undefined) of.set('price', price)
                    if (!sizes && before !== undefined)
                      of.set(
                        'modifiers',
                        of.form.modifiers.filter((each) => each !== before),
                      )
                  }}
                />
              </fieldset>
            )}
            <CheckField of={of} name="visible" label={texts.visible} />
            <TextField of={of} name="description" label={texts.description} multiline />
            <PictureList
              product={row}
              images={of.form.images}
              onChange={(images) => of.set('images', images)}
              pending={pending.value}
              onPick={(file) => (pending.value = [...pending.value, file])}
              onUnpick={(file) => (pending.value = pending.value.filter((each) => each !== file))}
              onUploaded={(next, uploaded) => {
                const known = new Set(row?.item.images.map(({ url }) => url))
                // Leaves out pictures that the person has removed, unless they were picked again.
                const added = next.item.images.filter(({ url }) => url === uploaded || !known.has(url))
                of.reset({ images: next.item.images }, ({ images }) => {
                  const shown = new Set(images.map(({ url }) => url))
                  return { images: [...images, ...added.filter(({ url }) => !shown.has(url))] }
                })
                adopt(next)
              }}
            />
            <ModifierList
              ids={of.form.modifiers}
              hidden={edited.form.sizes?.modifier}
              onChange={(modifiers) => of.set('modifiers', modifiers)}
              renderRule={(modifier) => (
                <ModifierRule
                  modifier={modifier}
                  rules={edited.form.modifierRules}
                  errorOf={of.errorOf}
                  onChange={(rules) => edited.set('modifierRules', rules)}
                />
              )}
            />
            <MenuPlaceFields places={places} />
            <details>
              <summary>{texts.tax}</summary>
              <div class="form">
                <TextField of={of} name="sku" label={texts.sku} input={{ spellcheck: false }} />
                <TextField of={of} name="upc" label={texts.upc} input={{ spellcheck: false }} />
                <NumberField of={of} name="calories" label={texts.calories} />
                <CheckField of={of} name="taxable" label={texts.taxable} />
                <CheckField of={of} name="useCustomTaxRate" label={texts.customTax} />
                {of.form.useCustomTaxRate && <NumberField of={of} name="taxRate" label={texts.taxRate} unit="%" />}
                <CheckField of={of} name="manageStock" label={texts.manageStock} />
                {of.form.manageStock && <NumberField of={of} name="stockQuantity" label={texts.stock} />}
              </div>
            </details>
            <fieldset class="plain" disabled={!details.isLoaded}>
              <DetailsFields of={edited} />
            </fieldset>
            <GuestPreview form={of.form} details={edited.form} pending={pending.value} />
          </>
        )
      }}
    </ObjectEditor>
  )
}
