import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { useSorting } from '../../objects/editor/sorted-rows.tsx'
import { ObjectScreen, TitleCell } from '../../objects/object-screen.tsx'
import { Check } from '../../ui/controls.tsx'
import { CouponEditor } from './coupon-editor.tsx'
import { describeState, describeValue } from './coupon-form.ts'
import { findLimits, onlyActive, store } from './coupon-store.ts'
import { TryCode } from './try-code.tsx'

/** The coupons: their states in words, their limits, and a form to try a code. */
export default function Coupons() {
  const { coupons: texts, screens } = t()
  const sorting = useSorting(store, {
    title: ({ title }) => title,
    state: (coupon) => describeState(coupon, findLimits(coupon.id)),
    value: ({ type, value }) => (type === 'FIXED' ? value : value / 1_000_000),
  })
  return (
    <div class="with-aside">
      <div>
        <ObjectScreen
          root="/coupons"
          name={screens.coupons}
          scope="coupons:write"
          store={store}
          parts={['coupons']}
          texts={texts}
          isFiltered={onlyActive.value}
          tools={
            <Check
              label={texts.onlyActive}
              isOn={onlyActive.value}
              onChange={(isOn) => {
                onlyActive.value = isOn
                void store.load()
              }}
            />
          }
          arrange={sorting.arrange}
          head={[
            <th key="title" scope="col" aria-sort={sorting.stateOf('title')}>
              {sorting.button('title', texts.title)}
            </th>,
            <th key="state" scope="col" class="wide-only" aria-sort={sorting.stateOf('state')}>
              {sorting.button('state', texts.state)}
            </th>,
            <th key="value" scope="col" class="number" aria-sort={sorting.stateOf('value')}>
              {sorting.button('value', texts.discount)}
            </th>,
          ]}
          cells={({ item }, open) => {
            const state = describeState(item, findLimits(item.id))
            const detail = (
              <>
                {item.code}
                <span class="narrow-only"> · {state}</span>
              </>
            )
            return (
              <>
                <TitleCell title={item.title} detail={detail} isSoft={!item.active} onOpen={open} />
                <td class="wide-only">{state}</td>
                <td class="number">{describeValue(item)}</td>
              </>
            )
          }}
          editor={(id, close) => <CouponEditor key={id} id={id} onClose={close} />}
        />
      </div>
      {hasScope('products:read') && <TryCode />}
    </div>
  )
}
