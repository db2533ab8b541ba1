import type { Menu } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import type { Row } from '../../objects/change.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PictureField } from '../../ui/pictures/picture-field.tsx'
import { toPictures } from '../../ui/pictures/smaller-pictures.ts'
import { showError } from '../../ui/toasts.tsx'
import type { MenuForm } from './menu-form.ts'
import { store } from './menu-store.ts'

/** The banner and the icon of a menu. They require an existing menu. */
export function MenuPictures(props: {
  of: EditedForm<MenuForm>
  row: Row<Menu> | undefined
  adopt: (row: Row<Menu>) => void
}) {
  const { menus: texts, action, product } = t()
  const { of, row, adopt } = props
  if (!row) return null
  const upload = async (name: 'banner' | 'icon', file: File) => {
    try {
      const { menus } = api()
      const send = name === 'banner' ? menus.setBanner : menus.setIcon
      const [image, smaller] = await toPictures(file)
      const { row: next } = await store.upload(row, (options) => send(row.item.id, image, { ...options, ...smaller }))
      of.reset({ [name]: next.item.branding[name] || '' })
      adopt(next)
    } catch (error) {
      showError(error)
    }
  }
  return (
    <fieldset class="group">
      <legend>{product.pictures}</legend>
      {(['banner', 'icon'] as const).map((name) => (
        <div key={name} class="with-unit">
          {of.form[name] && (
            <>
              <img src={of.form[name]} alt={texts[name]} height="64" />
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(texts[name])}
                onClick={() => of.set(name, '')}
              >
                <Icon name="close" />
              </button>
            </>
          )}
          <PictureField label={texts[name]} error={of.errorOf(name)} onPick={(file) => upload(name, file)} />
        </div>
      ))}
    </fieldset>
  )
}
