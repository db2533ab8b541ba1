import { useEffect, useMemo } from 'preact/hooks'
import type { Product } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import type { Row } from '../../objects/change.ts'
import { Icon } from '../../ui/icons.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { toPictures } from '../../ui/pictures/smaller-pictures.ts'
import { showError } from '../../ui/toasts.tsx'
import { store } from './product-store.ts'

interface PictureListProps {
  /** Absent for a new product. */
  product: Row<Product> | undefined
  images: readonly { url: string }[]
  onChange: (images: readonly { url: string }[]) => void
  /** Pictures of a new product, which are uploaded with it. */
  pending: readonly File[]
  onPick: (file: File) => void
  onUnpick: (file: File) => void
  onUploaded: (row: Row<Product>, url: string) => void
}

/** A picture with a button that removes it. */
const RemovablePicture = (props: { url: string; name: string; onRemove: () => void }) => (
  <li>
    <img src={props.url} alt={props.name} width="88" height="88" />
    <button type="button" class="quiet square" aria-label={t().action.removeOf(props.name)} onClick={props.onRemove}>
      <Icon name="close" />
    </button>
  </li>
)

/** A file that is not uploaded yet, with a button that removes it. */
function PendingPicture({ file, onRemove }: { file: File; onRemove: () => void }) {
  const url = useMemo(() => URL.createObjectURL(file), [file])
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return <RemovablePicture url={url} name={file.name} onRemove={onRemove} />
}

/** The pictures of a product, with a preview of each. */
export function PictureList({ product, images, pending, onChange, onPick, onUnpick, onUploaded }: PictureListProps) {
  const { product: texts } = t()
  const upload = async (file: File) => {
    if (!product) return onPick(file)
    try {
      const { id } = product.item
      const [image, smaller] = await toPictures(file)
      const { row, sent } = await store.upload(product, (options) =>
        api().products.addImage(id, image, { ...options, ...smaller }),
      )
      onUploaded(row, sent.url)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <fieldset class="group">
      <legend>{texts.pictures}</legend>
      {images.length + pending.length > 0 && (
        <ul class="pictures">
          {images.map(({ url }, index) => (
            <RemovablePicture
              key={url}
              url={url}
              name={texts.picture(index + 1)}
              onRemove={() => onChange(images.filter((image) => image.url !== url))}
            />
          ))}
          {pending.map((file, index) => (
            <PendingPicture key={index} file={file} onRemove={() => onUnpick(file)} />
          ))}
        </ul>
      )}
      {hasScope('products:write') && <PictureField label={texts.addPicture} hint={texts.pictureHint} onPick={upload} />}
    </fieldset>
  )
}
