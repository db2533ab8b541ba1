import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { currencySymbol } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { navigate, setGuard } from '../../app/router.ts'
import { api, hasScope } from '../../app/session.ts'
import { CheckField, type EditedForm, NumberField, TextField } from '../../objects/fields.tsx'
import { useSide } from '../../objects/side.ts'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { DetailsFields } from './details-fields.tsx'
import { type DetailsForm, findDetailsErrors, nameOf, toDetails, toDetailsForm } from './details-form.ts'
import { ModifierList } from './modifier-list.tsx'
import { PictureList } from './picture-list.tsx'
import { findChanges, findErrors, isSame, type ProductForm, toBody, toForm } from './product-form.ts'
import { prepareRestore } from './product-restore.ts'
import { create, type Row, removeRow, retrieve, update } from './product-store.ts'

type Details = Parameters<typeof toDetailsForm>[0] & object
type Question = 'none' | 'delete' | 'discard'

/** The editor of a product; without an id, of a new one. */
export function ProductEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { product: texts, action, shell } = t()
  const row = useSignal<Row | undefined>(undefined)
  const saved = useSignal(toForm())
  const form = useSignal(saved.value)
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const question = useSignal<Question>('none')
  const isBusy = useSignal(id !== undefined)
  const leave = useRef(onClose)
  const body = useRef<HTMLFormElement>(null)
  const details = useSide<Details, ReturnType<typeof toDetails>, DetailsForm>(id, {
    read: (of, options) => api().products.details(of, options),
    update: (of, fields, options) => api().products.updateDetails(of, fields, options),
    toForm: toDetailsForm,
    findErrors: findDetailsErrors,
    toBody: toDetails,
    title: t().details.title,
    nameOf,
  })

  const show = (next: Row) => {
    row.value = next
    saved.value = toForm(next.product)
    form.value = saved.value
  }
  useEffect(() => {
    if (id === undefined) return
    retrieve(id)
      .then(show, (error) => {
        showError(error)
        onClose()
      })
      .finally(() => {
        isBusy.value = false
      })
  }, [id])
  useEffect(() => {
    setGuard((next) => {
      if (isSame(saved.value, form.value) && !details.part.isChanged()) return false
      leave.current = next
      question.value = 'discard'
      return true
    })
    return () => setGuard(undefined)
  }, [])

  const of: EditedForm<ProductForm> = {
    form: form.value,
    errorOf: (name) => errors.value.get(name),
    clearErrors(name) {
      errors.value = new Map([...errors.value].filter(([path]) => !`${path}/`.startsWith(`${name}/`)))
    },
    set(name, value) {
      form.value = { ...form.value, [name]: value }
      of.clearErrors(name)
    },
    reset() {},
  }
  const fail = (found: ReadonlyMap<string, string>) => {
    errors.value = found
    requestAnimationFrame(() => {
      const field = body.current?.querySelector<HTMLElement>('[aria-invalid=true]')
      field?.closest('details')?.setAttribute('open', '')
      field?.focus()
    })
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const found = new Map([...findErrors(form.value), ...details.part.findErrors()])
    if (found.size > 0) return fail(found)
    isBusy.value = true
    try {
      if (row.value) {
        const { id: productId } = row.value.product
        const changes = findChanges(saved.value, form.value)
        const isChanged = Object.keys(changes).length > 0 || !details.part.isChanged()
        const result = isChanged ? await update(row.value, changes) : { row: row.value, isMine: true }
        show(result.row)
        if (details.part.isChanged()) await details.part.save(productId)
        if (result.isMine) showStatus(texts.saved(result.row.product.title))
      } else {
        const made = await create(toBody(form.value))
        // If the details fail, the next attempt changes the product.
        row.value = made
        saved.value = form.value
        if (details.part.isChanged()) await details.part.save(made.product.id)
        showStatus(texts.created(made.product.title))
      }
      setGuard(undefined)
      onClose()
    } catch (error) {
      const fields = readFieldErrors(error)
      if (fields.size > 0) fail(fields)
      showError(error)
    }
    isBusy.value = false
  }
  const remove = async () => {
    question.value = 'none'
    if (!row.value) return
    const { id: productId, title } = row.value.product
    try {
      const restore = await prepareRestore(row.value)
      await api().products.delete(productId)
      removeRow(productId)
      showStatus(texts.deleted(title), () => {
        restore().then(() => showStatus(t().object.restored(title)), showError)
      })
      setGuard(undefined)
      onClose()
    } catch (error) {
      showError(error)
    }
  }
  const duplicate = async () => {
    try {
      const made = await create({
        ...toBody(saved.value),
        title: texts.copyOf(saved.value.title),
        sku: null,
        upc: null,
      })
      showStatus(texts.created(made.product.title))
      navigate(`/products/${made.product.id}`)
    } catch (error) {
      showError(error)
    }
  }

  const { value } = form
  const mayWrite = hasScope('products:write')
  return (
    <Dialog
      kind="sheet"
      title={id === undefined ? texts.create : texts.edit}
      onClose={onClose}
      footer={
        mayWrite && (
          <>
            {row.value && (
              <>
                <button type="button" class="quiet danger-text" onClick={() => (question.value = 'delete')}>
                  <Icon name="trash" />
                  {action.delete}
                </button>
                <button type="button" class="quiet" onClick={duplicate}>
                  <Icon name="copy" />
                  {action.duplicate}
                </button>
              </>
            )}
            <span class="space" />
            <button type="button" class="quiet" onClick={onClose}>
              {action.cancel}
            </button>
            <button type="submit" form="product" class="primary" disabled={isBusy.value}>
              {action.save}
            </button>
          </>
        )
      }
    >
      {id !== undefined && !row.value ? (
        <p class="empty">{shell.loading}</p>
      ) : (
        <form id="product" ref={body} class="form" noValidate onSubmit={save}>
          <fieldset class="plain" disabled={!mayWrite}>
            <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
            <NumberField of={of} name="price" label={texts.price} unit={currencySymbol()} />
            <CheckField of={of} name="visible" label={texts.visible} />
            <TextField of={of} name="description" label={texts.description} multiline />
            <PictureList
              product={row.value}
              images={value.images}
              onChange={(images) => of.set('images', images)}
              onUploaded={(next) => {
                // The upload has changed the product: what else was typed stays.
                const typed = form.value
                show(next)
                form.value = { ...typed, images: next.product.images }
              }}
            />
            <ModifierList ids={value.modifiers} onChange={(modifiers) => of.set('modifiers', modifiers)} />
            <details>
              <summary>{texts.tax}</summary>
              <div class="form">
                <TextField of={of} name="sku" label={texts.sku} input={{ spellcheck: false }} />
                <TextField of={of} name="upc" label={texts.upc} input={{ spellcheck: false }} />
                <NumberField of={of} name="calories" label={texts.calories} />
                <CheckField of={of} name="taxable" label={texts.taxable} />
                <CheckField of={of} name="useCustomTaxRate" label={texts.customTax} />
                {value.useCustomTaxRate && <NumberField of={of} name="taxRate" label={texts.taxRate} unit="%" />}
                <CheckField of={of} name="manageStock" label={texts.manageStock} />
                {value.manageStock && <NumberField of={of} name="stockQuantity" label={texts.stock} />}
              </div>
            </details>
            <DetailsFields of={details.edit(of)} />
          </fieldset>
        </form>
      )}
      {question.value === 'delete' && (
        <Confirm
          title={texts.confirmDelete(row.value?.product.title ?? '')}
          text={texts.confirmDeleteHint}
          confirm={action.delete}
          onConfirm={remove}
          onCancel={() => (question.value = 'none')}
        />
      )}
      {question.value === 'discard' && (
        <Confirm
          title={texts.unsaved}
          text={texts.unsavedHint}
          confirm={texts.discard}
          cancel={texts.keepEditing}
          onConfirm={() => leave.current()}
          onCancel={() => (question.value = 'none')}
        />
      )}
    </Dialog>
  )
}
