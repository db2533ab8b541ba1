import type { Menu } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import type { Row } from '../../objects/store.ts'
import { Icon } from '../../ui/icons.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { showError } from '../../ui/toasts.tsx'
import type { MenuForm } from './menu-form.ts'
import { store } from './menu-store.ts'

/** The banner and the icon of a menu. They belong to a menu that exists. */
export function MenuPictures(props: {
  of: EditedForm<MenuForm>
  row: Row<Menu> | undefined
  setRow: (row: Row<Menu>) => void
}) {
  const { menus: texts, action, product } = t()
  const { of, row, setRow } = props
  if (!row) return null
  const upload = async (name: 'banner' | 'icon', file: File) => {
    try {
      const { menus } = api()
      await (name === 'banner' ? menus.setBanner : menus.setIcon)(row.item.id, file)
      // The upload has changed the menu: what else was typed stays.
      const next = await store.retrieve(row.item.id)
      store.replace(next)
      setRow(next)
      of.reset({ [name]: next.item.branding[name] || '' })
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
