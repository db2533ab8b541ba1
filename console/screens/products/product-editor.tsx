import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { currencySymbol } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { navigate, setGuard } from '../../app/router.ts'
import { api, hasScope } from '../../app/session.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { ModifierList } from './modifier-list.tsx'
import { PictureList } from './picture-list.tsx'
import { findChanges, findErrors, isSame, type ProductForm, toBody, toForm } from './product-form.ts'
import { create, type Row, removeRow, retrieve, update } from './product-store.ts'

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
      if (isSame(saved.value, form.value)) return false
      leave.current = next
      question.value = 'discard'
      return true
    })
    return () => setGuard(undefined)
  }, [])

  const change = (fields: Partial<ProductForm>) => {
    form.value = { ...form.value, ...fields }
    if (errors.value.size > 0) {
      const left = new Map(errors.value)
      for (const name of Object.keys(fields)) left.delete(name)
      errors.value = left
    }
  }
  const fail = (found: ReadonlyMap<string, string>) => {
    errors.value = found
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy.value) return
    const found = findErrors(form.value)
    if (found.size > 0) return fail(found)
    isBusy.value = true
    try {
      if (row.value) {
        const result = await update(row.value, findChanges(saved.value, form.value))
        show(result.row)
        if (result.isMine) showStatus(texts.saved(result.row.product.title))
      } else {
        const made = await create(toBody(form.value))
        showStatus(texts.created(made.product.title))
      }
      saved.value = form.value
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
      await api().products.delete(productId)
      saved.value = form.value
      removeRow(productId)
      showStatus(texts.deleted(title))
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
  const text = (name: 'title' | 'description' | 'sku' | 'upc', label: string, multiline = false) => (
    <Field
      label={label}
      value={value[name]}
      error={errors.value.get(name)}
      multiline={multiline}
      input={{ spellcheck: name === 'title', autofocus: name === 'title' && id === undefined }}
      onInput={(typed) => change({ [name]: typed })}
    />
  )
  const number = (name: 'price' | 'calories' | 'taxRate' | 'stockQuantity', label: string, unit?: string) => (
    <Field
      label={label}
      value={value[name]}
      error={errors.value.get(name)}
      unit={unit}
      input={{ inputMode: 'decimal' }}
      onInput={(typed) => change({ [name]: typed })}
    />
  )
  const check = (name: 'visible' | 'taxable' | 'useCustomTaxRate' | 'manageStock', label: string) => (
    <Check label={label} isOn={value[name]} onChange={(isOn) => change({ [name]: isOn })} />
  )
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
            {text('title', texts.title)}
            {number('price', texts.price, currencySymbol())}
            {check('visible', texts.visible)}
            {text('description', texts.description, true)}
            <PictureList
              product={row.value}
              images={value.images}
              onChange={(images) => change({ images })}
              onUploaded={(next) => {
                // The upload has changed the product: what else was typed stays.
                const typed = form.value
                show(next)
                form.value = { ...typed, images: next.product.images }
              }}
            />
            <ModifierList ids={value.modifiers} onChange={(modifiers) => change({ modifiers })} />
            <details>
              <summary>{texts.tax}</summary>
              <div class="form">
                {text('sku', texts.sku)}
                {text('upc', texts.upc)}
                {number('calories', texts.calories)}
                {check('taxable', texts.taxable)}
                {check('useCustomTaxRate', texts.customTax)}
                {value.useCustomTaxRate && number('taxRate', texts.taxRate, '%')}
                {check('manageStock', texts.manageStock)}
                {value.manageStock && number('stockQuantity', texts.stock)}
              </div>
            </details>
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
