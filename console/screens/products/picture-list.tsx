import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Product } from '../../../packages/client/src/client.ts'
import { t } from '../../app/language.ts'
import { api, hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/store.ts'
import { Icon } from '../../ui/icons.tsx'
import { showError } from '../../ui/toasts.tsx'
import { store } from './product-store.ts'

interface PictureListProps {
  /** Absent for a new product: a picture belongs to a product that exists. */
  product: Row<Product> | undefined
  images: readonly { url: string }[]
  onChange: (images: readonly { url: string }[]) => void
  onUploaded: (row: Row<Product>) => void
}

/** The pictures of a product, with a preview of each. */
export function PictureList({ product, images, onChange, onUploaded }: PictureListProps) {
  const { product: texts, action } = t()
  const isBusy = useSignal(false)
  const id = useId()
  const upload = async (file: File | undefined) => {
    if (!file || !product) return
    isBusy.value = true
    try {
      await api().products.addImage(product.item.id, file)
      onUploaded(await store.retrieve(product.item.id))
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <fieldset class="group">
      <legend>{texts.pictures}</legend>
      {images.length > 0 && (
        <ul class="pictures">
          {images.map(({ url }, index) => (
            <li key={url}>
              <img src={url} alt={texts.picture(index + 1)} width="88" height="88" />
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(texts.picture(index + 1))}
                onClick={() => onChange(images.filter((image) => image.url !== url))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {product && hasScope('products:write') && (
        <div class="field">
          <label for={id}>{texts.addPicture}</label>
          <input
            id={id}
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            disabled={isBusy.value}
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              void upload(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
          <p class="hint" id={`${id}-hint`}>
            {texts.pictureHint}
          </p>
        </div>
      )}
    </fieldset>
  )
}
