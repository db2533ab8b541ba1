import { getLabel } from '../../screens/tables/table-label.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { createMatcher } from '../../ui/search/find-words.ts'
import { Finder, matchesRead, takeClosest } from '../../ui/search/finder.tsx'
import { api } from '../api.ts'
import { t } from '../language.ts'
import { navigate } from '../router.ts'
import { listScreens } from '../screens.ts'
import { hasScope, session } from '../session.ts'

/** Maximum number of objects of a resource that are offered at once. */
const maxFound = 4
const none = { items: [] }

interface Place {
  path: string
  title: string
  /** The screen, or the kind of the entry. */
  kind: string
}

/** Screens, and actions that create objects. */
function findPlaces(text: string): Place[] {
  const { screens, shortcuts, product, modifiers, menus, coupons, customers, webhooks } = t()
  const creators: Readonly<Partial<Record<string, { create: string }>>> = {
    product,
    modifiers,
    menus,
    coupons,
    customers,
    webhooks,
  }
  const places = listScreens().flatMap(({ name, path, scope = '' }): Place[] => {
    const { create } = creators[name === 'products' ? 'product' : name] ?? {}
    const mayCreate = create !== undefined && hasScope(scope.replace(/read$/, 'write'))
    return [
      { path, title: screens[name], kind: shortcuts.screen },
      ...(mayCreate ? [{ path: `${path}/new`, title: create, kind: shortcuts.command }] : []),
    ]
  })
  const matches = createMatcher(
    text,
    places.map(({ title }) => title),
  )
  return places.filter(({ title }) => matches(title))
}

/** Products, customers and tables that the service finds. */
async function findObjects(q: string, signal: AbortSignal): Promise<Place[]> {
  if (q === '' || !session.value) return []
  const { screens } = t()
  const { products, customers, tags } = api()
  const query = { q, limit: matchesRead }
  const [ofProducts, ofCustomers, ofTables] = await Promise.all([
    hasScope('products:read') ? products.list(query, { signal }).page() : none,
    hasScope('customers:read') ? customers.list(query, { signal }).page() : none,
    hasScope('tags:read') ? tags.list(query, { signal }).page() : none,
  ])
  const toPlace = (root: string, kind: string) => (id: string, title: string) => ({
    path: `${root}/${id}`,
    title,
    kind,
  })
  const [toProduct, toCustomer, toTable] = [
    toPlace('/products', screens.products),
    toPlace('/customers', screens.customers),
    toPlace('/tables', screens.tables),
  ]
  return [
    ofProducts.items.map(({ id, title }) => toProduct(id, title)),
    ofCustomers.items.map(({ id, firstName, lastName }) => toCustomer(id, `${firstName} ${lastName}`)),
    ofTables.items.map((tag) => toTable(tag.id, getLabel(tag))),
  ].flatMap((places) => takeClosest(places, ({ title }) => title, q, maxFound))
}

/** Opens a screen or an object, or creates an object, from typed text. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { shortcuts } = t()
  return (
    <Dialog title={shortcuts.palette} onClose={onClose}>
      <div class="palette">
        <Finder
          label={shortcuts.go}
          autofocus
          find={async (text, signal) => [...findPlaces(text), ...(await findObjects(text, signal))]}
          describe={({ path, title, kind }) => ({ key: path, title, detail: kind })}
          onPick={({ path }) => {
            onClose()
            navigate(path)
          }}
          onClose={onClose}
        />
      </div>
    </Dialog>
  )
}
