import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CouponCodeBatch } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatNumber, formatTime, parseWhole } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { saveFile } from '../../app/save-file.ts'
import { Field } from '../../ui/controls.tsx'
import { showError } from '../../ui/toasts.tsx'

/** Maximum number of codes of a request. */
const maxCodes = 10_000
const prefixForm = /^[A-Za-z0-9_-]{0,20}$/

/** Makes single-use codes of a coupon, and saves those of each batch as a file. */
export function Codes({ coupon }: { coupon: string }) {
  const { coupons: texts } = t()
  const batches = useSignal<readonly CouponCodeBatch[]>([])
  const count = useSignal('')
  const prefix = useSignal('')
  const errors = useSignal<{ count?: string; prefix?: string }>({})
  const isBusy = useSignal(false)
  // A request that is repeated after a lost response makes the same batch.
  const key = useRef(crypto.randomUUID())
  const read = async () => {
    batches.value = await api().coupons.codeBatches(coupon)
  }
  useEffect(() => {
    read().catch(showError)
  }, [])
  const save = async (batch: string) => {
    const response = await api().coupons.codesCsv(coupon, batch)
    saveFile(await response.blob(), `codes-${batch}.csv`)
  }
  const act = async (action: () => Promise<void>) => {
    if (isBusy.value) return
    isBusy.value = true
    await action().catch(showError)
    isBusy.value = false
  }
  const make = async () => {
    const wanted = parseWhole(count.value)
    const isCount = wanted !== undefined && wanted >= 1 && wanted <= maxCodes
    errors.value = {
      ...(isCount ? {} : { count: texts.codesFrom(formatNumber(maxCodes)) }),
      ...(prefixForm.test(prefix.value) ? {} : { prefix: texts.prefixForm }),
    }
    if (!isCount || errors.value.prefix) return
    const fields = { count: wanted, ...(prefix.value !== '' && { prefix: prefix.value }) }
    const { batch } = await api().coupons.createCodes(coupon, fields, { idempotencyKey: key.current })
    key.current = crypto.randomUUID()
    count.value = ''
    await read()
    await save(batch)
  }
  const type = (field: typeof count) => (typed: string) => {
    field.value = typed
    errors.value = {}
    key.current = crypto.randomUUID()
  }
  return (
    <section class="group" aria-labelledby="codes-title">
      <h3 id="codes-title">{texts.codes}</h3>
      <p class="hint">{texts.codesHint}</p>
      <div class="halves">
        <Field
          label={texts.codeCount}
          value={count.value}
          error={errors.value.count}
          input={{ inputMode: 'numeric' }}
          onInput={type(count)}
        />
        <Field
          label={texts.codePrefix}
          value={prefix.value}
          error={errors.value.prefix}
          input={{ spellcheck: false, autocapitalize: 'characters' }}
          onInput={type(prefix)}
        />
      </div>
      <button type="button" aria-disabled={isBusy.value} onClick={() => act(make)}>
        {texts.makeCodes}
      </button>
      {batches.value.length > 0 && (
        <ul class="ordered" aria-label={texts.codes}>
          {batches.value.map(({ batch, count: made, prefix: text = '', createdAt }) => (
            <li key={batch}>
              <span>
                {texts.codeBatch(made, text)} <span class="soft">{formatTime(createdAt)}</span>
              </span>
              <button type="button" class="quiet" aria-disabled={isBusy.value} onClick={() => act(() => save(batch))}>
                {texts.saveCodes}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
