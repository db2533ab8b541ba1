import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Coupon, Redemption } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { currencySymbol, formatPrice, formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { hasScope, session } from '../../app/session.ts'
import { nameZone } from '../../objects/contents/named-codes.ts'
import { ObjectEditor } from '../../objects/editor.tsx'
import { CheckField, type EditedForm, NumberField, TextField } from '../../objects/fields.tsx'
import { ChoiceSet } from '../../objects/hours/choice-set.tsx'
import { formatWeekday, orderTypes, weekdays } from '../../objects/hours/service-times.ts'
import { getProductTitle, rememberProducts, useProducts } from '../../objects/known-products.ts'
import { ProductFinder } from '../../objects/product-finder.tsx'
import { useSide } from '../../objects/side.ts'
import { Icon } from '../../ui/icons.tsx'
import { Select } from '../../ui/select.tsx'
import { showError } from '../../ui/toasts.tsx'
import { Codes } from './codes.tsx'
import {
  type CouponBody,
  type CouponForm,
  describeState,
  findErrors,
  findLimitErrors,
  getUnit,
  type LimitForm,
  nameOf,
  toBody,
  toForm,
  toLimitForm,
  toLimits,
} from './coupon-form.ts'
import { noteLimits, showLimit, store } from './coupon-store.ts'

/** Number of redemptions that are shown, newest first. */
const maxRedemptions = 20

function Redemptions({ coupon }: { coupon: string }) {
  const { coupons: texts } = t()
  const list = useSignal<readonly Redemption[] | undefined>(undefined)
  useEffect(() => {
    api()
      .redemptions.list({ coupon, limit: maxRedemptions })
      .page()
      .then(({ items }) => {
        list.value = items
      }, showError)
  }, [])
  return (
    <section class="group">
      <h3>{texts.redemptions}</h3>
      {list.value?.length === 0 && <p class="hint">{texts.noRedemptions}</p>}
      {list.value !== undefined && list.value.length > 0 && (
        <table class="compare" aria-label={texts.redemptions}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col">{texts.orderId}</th>
              <th scope="col">{texts.state}</th>
              <th scope="col" class="number">
                {texts.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {list.value.map(({ id, createdAt, order, state, amount }) => (
              <tr key={id}>
                <td>{formatTime(createdAt)}</td>
                <td class="any">{order}</td>
                <td>{texts.redemptionStates[state]}</td>
                <td class="number">{amount === undefined ? '' : formatPrice(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The products that a coupon applies to. */
function CoveredProducts({ of }: { of: EditedForm<CouponForm> }) {
  const { coupons: texts, action } = t()
  const { products } = of.form
  useProducts(products)
  return (
    <fieldset class="group">
      <legend>{texts.products}</legend>
      <CheckField of={of} name="applyToAllProducts" label={texts.allProducts} />
      {!of.form.applyToAllProducts && (
        <>
          <ul class="ordered">
            {products.map((id) => (
              <li key={id}>
                <span>{getProductTitle(id)}</span>
                <button
                  type="button"
                  class="quiet square"
                  aria-label={action.removeOf(getProductTitle(id))}
                  onClick={() =>
                    of.set(
                      'products',
                      products.filter((each) => each !== id),
                    )
                  }
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
          {products.length === 0 && <p class="error">{texts.noProducts}</p>}
          <ProductFinder
            onPick={(product) => {
              rememberProducts([product])
              if (!products.includes(product.id)) of.set('products', [...products, product.id])
            }}
          />
        </>
      )}
    </fieldset>
  )
}

function Limits({ of }: { of: EditedForm<LimitForm> }) {
  const { coupons: texts, menus } = t()
  return (
    <fieldset class="group">
      <legend>{texts.limits}</legend>
      <div class="halves">
        <TextField of={of} name="startsAt" label={texts.startsAt} input={{ type: 'datetime-local' }} />
        <TextField of={of} name="endsAt" label={texts.endsAt} input={{ type: 'datetime-local' }} />
      </div>
      <p class="hint">{texts.timeHint(nameZone(session.value?.merchant.timezone))}</p>
      <div class="halves">
        <NumberField of={of} name="maxRedemptions" label={texts.maxRedemptions} />
        <NumberField of={of} name="maxRedemptionsPerCustomer" label={texts.maxRedemptionsPerCustomer} />
        <NumberField of={of} name="maxDiscount" label={texts.maxDiscount} unit={currencySymbol()} />
      </div>
      <ChoiceSet
        legend={texts.days}
        all={weekdays}
        chosen={of.form.days}
        nameOf={formatWeekday}
        error={of.errorOf('days')}
        onChange={(chosen) => of.set('days', chosen)}
      />
      <div class="halves">
        <TextField of={of} name="begin" label={texts.begin} input={{ type: 'time' }} />
        <TextField of={of} name="end" label={texts.end} input={{ type: 'time' }} />
      </div>
      <ChoiceSet
        legend={texts.orderTypes}
        all={orderTypes}
        chosen={of.form.orderTypes}
        nameOf={(type) => menus.types[type]}
        error={of.errorOf('orderTypes')}
        onChange={(chosen) => of.set('orderTypes', chosen)}
      />
      <CheckField of={of} name="automatic" label={texts.automatic} />
      <p class="hint">{texts.automaticHint}</p>
      <CheckField of={of} name="codesOnly" label={texts.codesOnly} />
    </fieldset>
  )
}

export function CouponEditor({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { coupons: texts } = t()
  const limits = useSide(id, {
    read: async (of, options) => noteLimits(of, await api().coupons.limits(of, options)),
    update: async (of, fields, options) => noteLimits(of, await api().coupons.setLimits(of, fields, options)),
    toForm: toLimitForm,
    findErrors: findLimitErrors,
    toBody: toLimits,
    title: texts.limits,
    nameOf,
    show: showLimit,
  })
  return (
    <ObjectEditor<Coupon, CouponBody, CouponForm>
      id={id}
      titles={texts}
      deleteHint={texts.deleteHint}
      scope="coupons:write"
      store={store}
      form={{ toForm, findErrors, toBody }}
      parts={[limits.part]}
      toCopy={(body) => ({ ...body, code: `${body.code}-2`, active: false })}
      onClose={onClose}
    >
      {(of, row) => (
        <>
          {row && <p class="soft">{describeState(row.item, limits.stored)}</p>}
          <TextField of={of} name="title" label={texts.title} input={{ autofocus: id === undefined }} />
          <TextField
            of={of}
            name="code"
            label={texts.code}
            input={{ spellcheck: false, autocapitalize: 'characters' }}
          />
          <div class="halves">
            <Select
              label={texts.type}
              value={of.form.type}
              options={[
                ['PERCENTAGE', texts.types.PERCENTAGE],
                ['FIXED', texts.types.FIXED],
              ]}
              onChange={(type) => of.set('type', type)}
            />
            <NumberField of={of} name="value" label={texts.value} unit={getUnit(of.form.type)} />
          </div>
          <CheckField of={of} name="active" label={texts.active} />
          <CheckField of={of} name="individualUse" label={texts.individualUse} />
          <NumberField
            of={of}
            name="minimumOrderAmount"
            label={texts.minimumOrderAmount}
            unit={currencySymbol()}
            input={{ class: 'short' }}
          />
          <CoveredProducts of={of} />
          <fieldset class="plain" disabled={!limits.isLoaded}>
            <Limits of={limits.edit(of)} />
          </fieldset>
          <TextField of={of} name="description" label={texts.description} multiline />
          {row && hasScope('coupons:write') && <Codes coupon={row.item.id} />}
          {row && hasScope('redemptions:read') && <Redemptions coupon={row.item.id} />}
        </>
      )}
    </ObjectEditor>
  )
}
