import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { currencySymbol, parsePrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { base } from '../../app/router.ts'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { printSheet } from '../tables/print-sheet.ts'
import { addDish, addTables, loadStart, type Start, startState } from './start-data.ts'

/** Maximum number of tables that one step makes: the operations of one batch. */
const maxTables = 500
const suggestedTables = '10'
/** Pause between two looks for the first scan, in milliseconds. */
const scanPauseMs = 5_000

function Step(props: { title: string; isDone: boolean; children?: ComponentChildren }) {
  return (
    <li class={props.isDone ? 'step done' : 'step'}>
      <span class="step-mark" aria-hidden="true">
        {props.isDone && <Icon name="check" />}
      </span>
      <div class="step-body">
        <h3>
          {props.title}
          {props.isDone && <span class="unseen"> · {t().today.done}</span>}
        </h3>
        {props.children}
      </div>
    </li>
  )
}

/** One line for a dish: name, price and section. */
function QuickDish() {
  const { today: texts, issue, product } = t()
  const [title, price, section] = [useSignal(''), useSignal(''), useSignal(texts.firstSection)]
  const error = useSignal<'title' | 'price' | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    error.value = title.value.trim() === '' ? 'title' : parsePrice(price.value) === undefined ? 'price' : undefined
    if (error.value !== undefined || isBusy.value) return
    isBusy.value = true
    try {
      const name = title.value.trim()
      await addDish(name, price.value, section.value.trim() || texts.firstSection)
      showStatus(texts.dishAdded(name))
      title.value = ''
      price.value = ''
      await loadStart()
    } catch (failure) {
      showError(failure)
    }
    isBusy.value = false
  }
  return (
    <form class="quick" onSubmit={submit} noValidate>
      <Field
        label={texts.dishName}
        value={title.value}
        error={error.value === 'title' ? issue.required : undefined}
        onInput={(typed) => (title.value = typed)}
      />
      <Field
        label={product.price}
        value={price.value}
        unit={currencySymbol()}
        error={error.value === 'price' ? issue.notAPrice : undefined}
        input={{ inputMode: 'decimal' }}
        onInput={(typed) => (price.value = typed)}
      />
      <Field label={texts.section} value={section.value} onInput={(typed) => (section.value = typed)} />
      <button type="submit" aria-disabled={isBusy.value}>
        <Icon name="plus" />
        {texts.addDish}
      </button>
    </form>
  )
}

function QuickTables() {
  const { today: texts, tables } = t()
  const count = useSignal(suggestedTables)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    const wanted = Number(count.value)
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > maxTables || isBusy.value) return
    isBusy.value = true
    try {
      await addTables(wanted)
      showStatus(tables.made(wanted))
      await loadStart()
    } catch (failure) {
      showError(failure)
    }
    isBusy.value = false
  }
  return (
    <form class="quick few" onSubmit={submit} noValidate>
      <Field
        label={texts.tablesUpTo}
        value={count.value}
        input={{ inputMode: 'numeric', class: 'short' }}
        onInput={(typed) => (count.value = typed)}
      />
      <button type="submit" aria-disabled={isBusy.value}>
        {tables.submit}
      </button>
    </form>
  )
}

/** The way from an empty venue to the first scan, on one screen. */
export function Checklist({ state }: { state: Start }) {
  const { today: texts, screens } = t()
  const { dish, menu, tables: ids } = state
  const isPrinted = useSignal(false)
  const waits = ids.length > 0
  // A scan raises no event.
  useEffect(() => {
    if (!waits) return
    const look = () => document.visibilityState === 'visible' && void loadStart().catch(() => undefined)
    const timer = setInterval(look, scanPauseMs)
    return () => clearInterval(timer)
  }, [waits])
  if (state.hasScans) return null
  return (
    <section class="tile wide start" aria-label={texts.start}>
      <h2>{texts.start}</h2>
      <ol class="steps">
        <Step title={texts.stepDishes} isDone={dish !== undefined}>
          <QuickDish />
          <p class="hint">
            <a href={`${base}/import-export`}>{texts.importInstead}</a>
          </p>
        </Step>
        <Step title={menu === undefined ? texts.stepMenu : texts.menuMade(menu)} isDone={menu !== undefined} />
        <Step title={texts.stepTables} isDone={ids.length > 0}>
          {ids.length === 0 && <QuickTables />}
        </Step>
        <Step title={texts.stepPrint} isDone={isPrinted.value}>
          {ids.length > 0 && (
            <p>
              <button
                type="button"
                class={isPrinted.value ? undefined : 'primary'}
                onClick={() => {
                  isPrinted.value = true
                  void printSheet(ids, 'stickers')
                }}
              >
                <Icon name="print" />
                {texts.printCodes(ids.length)}
              </button>
            </p>
          )}
        </Step>
        <Step title={texts.stepScan} isDone={false}>
          {ids.length > 0 && (
            <p class="hint">
              {texts.waitsForScan} <a href={`${base}/tables`}>{screens.tables}</a>
            </p>
          )}
        </Step>
      </ol>
    </section>
  )
}

/** Reads the state of the list when the screen opens. */
export function useStart(isWanted: boolean): Start | undefined {
  useEffect(() => {
    if (isWanted) loadStart().catch(showError)
  }, [])
  return startState.value
}
