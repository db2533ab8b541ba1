import { t } from '../../app/language.ts'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { CustomerEditor } from './customer-editor.tsx'
import { getFullName, store } from './customer-store.ts'

/** The customers: search, export and erasure of a person. */
export default function Customers() {
  const { customers: texts, screens } = t()
  return (
    <ObjectScreen
      root="/customers"
      name={screens.customers}
      scope="customers:write"
      store={store}
      parts={['customers']}
      texts={texts}
      head={[
        <th key="name" scope="col">
          {texts.name}
        </th>,
        <th key="email" scope="col" class="wide-only">
          {texts.email}
        </th>,
        <th key="phone" scope="col" class="wide-only">
          {texts.phone}
        </th>,
      ]}
      cells={({ item }, open) => (
        <>
          <TitleCell
            title={getFullName(item)}
            detail={<span class="narrow-only">{item.email ?? item.phone}</span>}
            onOpen={open}
          />
          <td class="wide-only">
            <span class="clip">{item.email}</span>
          </td>
          <td class="wide-only">{item.phone}</td>
        </>
      )}
      editor={(id, close) => <CustomerEditor key={id} id={id} onClose={close} />}
    />
  )
}
