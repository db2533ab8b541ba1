import { api } from '../../app/api.ts'
import { formatTime } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { usePages } from '../../ui/paged.ts'
import { Section } from '../../ui/section.tsx'
import { current, open, revision } from './import-store.ts'

/** Imports that were started earlier, including those of a closed tab. */
export function RecentImports() {
  const { transfer: texts } = t()
  // A resource without a text is shown by its path.
  const names: Readonly<Record<string, string>> = texts.resources
  const { items } = usePages(() => api().imports.list(), String(revision.value))
  const others = (items.value ?? []).filter(({ id }) => id !== current.value?.id)
  if (others.length === 0) return null
  return (
    <Section id="recent" title={texts.recent}>
      <table class="plain-rows" aria-label={texts.recent}>
        <tbody>
          {others.slice(0, 10).map((each) => (
            <tr key={each.id}>
              <th scope="row">
                {formatTime(each.createdAt)}
                <small>
                  {each.resource ? (names[each.resource] ?? each.resource) : texts.asFile} · {texts.rows(each.rows)}
                </small>
              </th>
              <td>{texts.states[each.state]}</td>
              <td class="end">
                <button type="button" title={texts.open(formatTime(each.createdAt))} onClick={() => open(each)}>
                  {texts.show}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
