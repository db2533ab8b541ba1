import { t } from '../../app/language.ts'
import { useSorting } from '../../objects/editor/sorted-rows.tsx'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { CustomerEditor } from './customer-editor.tsx'
import { getFullName, store } from './customer-store.ts'

/** The customers: search, export and erasure of a person. */
export default function Customers() {
  const { customers: texts, screens } = t()
  const sorting = useSorting(store, {
    name: ({ firstName, lastName }) => `${lastName} ${firstName}`,
    email: ({ email = '' }) => email,
  })
  return (
    <ObjectScreen
      root="/customers"
      name={screens.customers}
      scope="customers:write"
      store={store}
      parts={['customers']}
      texts={texts}
      arrange={sorting.arrange}
      head={[
        <th key="name" scope="col" aria-sort={sorting.stateOf('name')}>
          {sorting.button('name', texts.name)}
        </th>,
        <th key="email" scope="col" class="wide-only" aria-sort={sorting.stateOf('email')}>
          {sorting.button('email', texts.email)}
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
