import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Modifier, OptionAvailability } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { useChanges } from '../../app/frame/pulse.ts'
import { keep } from '../../app/kept.ts'
import { t } from '../../app/language.ts'
import { hasScope } from '../../app/session.ts'
import { createQueue } from '../../objects/change.ts'
import { SearchField, Switch } from '../../ui/controls.tsx'
import { RowWindow } from '../../ui/row-window.tsx'
import { createMatcher } from '../../ui/search/find-words.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import type { Until } from './sold-out-store.ts'
import { dropTap, keepTap } from './waiting-taps.ts'

type Mark = OptionAvailability['options'][string]

/** Maximum number of modifiers of which the options are shown, and of requests at once. */
const [maxModifiers, atOnce] = [500, 6]
const search = keep('options text', '')
interface Entry {
  modifier: string
  option: string
  title: string
  of: string
}
/** The options, those that were sold out first. Undefined until they are loaded. */
const entries = signal<readonly Entry[] | undefined>(undefined)
/** The marks of options by the id of the modifier. */
const marks = signal<ReadonlyMap<string, OptionAvailability['options']>>(new Map())
/** Changes of one modifier run in sequence, so that the service stores the last tap. */
const inOrder = createQueue()

const setMarks = (modifier: string, options: OptionAvailability['options']) => {
  marks.value = new Map(marks.value).set(modifier, { ...marks.value.get(modifier), ...options })
}

const findMark = ({ modifier, option }: Entry): Mark => marks.value.get(modifier)?.[option] ?? { soldOut: false }

async function load(): Promise<void> {
  const found: Modifier[] = []
  for await (const modifier of api().modifiers.list({ limit: 100 })) {
    if (modifier.options.length > 0) found.push(modifier)
    if (found.length === maxModifiers) break
  }
  const waiting = found.values()
  const readWaiting = async () => {
    for (const { id } of waiting) setMarks(id, (await api().modifiers.availability(id)).options)
  }
  await Promise.all(Array.from({ length: atOnce }, readWaiting))
  const all = found.flatMap(({ id, title, options }) =>
    options.map((option) => ({ modifier: id, option: option.id, title: option.label ?? '', of: title })),
  )
  const [out, others] = [true, false].map((isOut) => all.filter((entry) => findMark(entry).soldOut === isOut))
  entries.value = [...(out ?? []), ...(others ?? [])]
}

/** Options whose label or modifier has the words of the text. */
function listEntries(text: string): readonly Entry[] {
  const [all, toText] = [entries.value ?? [], ({ title, of }: Entry) => `${title} ${of}`]
  const matches = createMatcher(text, all.map(toText))
  return all.filter((entry) => matches(toText(entry)))
}

/** Marks an option immediately, and reverts the mark if the request fails. */
async function setSoldOut(entry: Entry, next: { soldOut: boolean; until?: Until | number }, say: (mark: Mark) => void) {
  const { modifier, option } = entry
  const before = findMark(entry)
  setMarks(modifier, { [option]: { soldOut: next.soldOut } })
  dropTap(option)
  await inOrder(modifier, async () => {
    try {
      const { options } = await api().modifiers.setAvailability(modifier, { [option]: next })
      const mark = options[option] ?? { soldOut: next.soldOut }
      setMarks(modifier, { [option]: mark })
      dropTap(option)
      say(mark)
    } catch (error) {
      const title = `${entry.of}: ${entry.title}`
      if (keepTap(error, { id: option, modifier, title, ...next })) return
      setMarks(modifier, { [option]: before })
      showError(error)
    }
  })
}

/** One tap marks an option of a modifier as sold out, or available. */
export function Options({ until, describe }: { until: Until; describe: (until: Mark['until']) => string }) {
  const { soldOut: texts, screens, shell } = t()
  const read = () => void load().catch(showError)
  useEffect(read, [])
  useChanges(['modifiers'], read)
  const mayWrite = hasScope('stock:write')
  const list = listEntries(search.value)
  const toggle = (entry: Entry, isOut: boolean) => {
    const { until: was, soldOut } = findMark(entry)
    const title = `${entry.of}: ${entry.title}`
    const back = { soldOut, ...(soldOut && was !== undefined && { until: was }) }
    const tell = (mark: Mark, undo?: () => void) =>
      showStatus(mark.soldOut ? texts.isOut(title, describe(mark.until)) : texts.isBack(title), undo)
    void setSoldOut(entry, { soldOut: isOut, ...(isOut && { until }) }, (mark) =>
      tell(mark, () => void setSoldOut(entry, back, (undone) => tell(undone))),
    )
  }
  return (
    <>
      <SearchField label={texts.searchOptions} value={search.value} onInput={(text) => (search.value = text)} />
      <p class="hint" role="status">
        {entries.value === undefined
          ? shell.loading
          : `${texts.sold}: ${list.filter((entry) => findMark(entry).soldOut).length}`}
      </p>
      {list.length > 0 && (
        <RowWindow
          name={screens.soldOut}
          count={list.length}
          isPartial={false}
          rowRem={{ narrow: 4.5, wide: 4.5 }}
          keyOf={(index) => `${list[index]?.modifier} ${list[index]?.option}`}
          onNearEnd={() => {}}
          renderRow={(index) => {
            const entry = list[index]
            if (!entry) return undefined
            const { soldOut, until: end } = findMark(entry)
            return (
              <td class="whole">
                <Switch
                  name={`${entry.of}: ${entry.title}`}
                  isOn={soldOut}
                  disabled={!mayWrite}
                  onChange={(isOn) => toggle(entry, isOn)}
                >
                  <span class="names">
                    <span class="title">{entry.title}</span>
                    <small>{[entry.of, soldOut && describe(end)].filter(Boolean).join(', ')}</small>
                  </span>
                </Switch>
              </td>
            )
          }}
        />
      )}
    </>
  )
}
