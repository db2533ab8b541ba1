import { useEffect, useRef } from 'preact/hooks'
import type { Import, ImportIssue } from '../../../packages/client/src/client.ts'
import { language, t } from '../../app/language.ts'
import { describeRemedy } from '../../app/problems.ts'
import { ApplyButtons, Deletions } from './apply-buttons.tsx'
import { isRunning, issues, maxIssues, preview } from './import-store.ts'
import { Preview } from './preview.tsx'
import { ReadingPart } from './reading.tsx'
import { UndoImport } from './undo-import.tsx'

/** The expected effects of applying. */
function Planned({ check, sections = 0 }: { check: NonNullable<Import['check']>; sections?: number | undefined }) {
  const { transfer: texts } = t()
  const { creates, updates, unchanged, leftOut, changes } = check
  const { up, down } = changes.price
  const { planned } = texts
  const parts = [
    planned.creates(creates),
    ...(sections > 0 ? [planned.sections(sections)] : []),
    ...(updates > 0 ? [planned.updates(updates)] : []),
    ...(unchanged > 0 ? [planned.unchanged(unchanged)] : []),
    planned.leftOut(leftOut),
  ]
  return (
    <p>
      {`${parts.join(', ')}.`} {up + down > 0 && texts.prices(up, down)}
    </p>
  )
}

/** The progress of an import, the issues of its rows, and the possible next steps. */
export function ImportProgress({ current }: { current: Import }) {
  const { transfer: texts } = t()
  const element = useRef<HTMLDivElement>(null)
  const { id } = current
  // The button that was pressed, here or in the list of earlier imports, has disappeared.
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus()
  }, [id, current.state])
  const describeCounter = new Map<string, (count: number) => string>([
    ...Object.entries(texts.kept).map(([field, describe]) => [`counter_kept ${field}`, describe] as const),
    ...Object.entries(texts.counted).map(([field, describe]) => [`counter_set ${field}`, describe] as const),
  ])
  const issueTexts = new Map<string, string>(Object.entries(t().issue))
  // The message of the service is in English, but more specific than the text of a code.
  const explain = ({ code, message }: ImportIssue) => {
    const [, columns] = code === 'unknown_field' ? message.split(': ') : []
    if (columns !== undefined) return `${issueTexts.get(code)} ${texts.columns(columns)}`
    return describeRemedy(message) ?? (language.value === 'en' ? message : (issueTexts.get(code) ?? message))
  }
  const { rows, checked, applied, failed, state, created, updated, unchanged, deleted } = current
  const usable = rows - failed
  return (
    <div ref={element} class="group import" tabIndex={-1}>
      <progress
        aria-label={texts.progress}
        max={Math.max(1, state === 'checking' ? rows : usable)}
        value={state === 'checking' ? checked : applied}
      />
      <p aria-live="polite">
        <span class="strong">{texts.states[state]}</span> {state === 'ready' && texts.usable(usable, rows)}
        {(state === 'done' || state === 'cancelled') && texts.counts(created, updated, unchanged)}
        {deleted > 0 && ` ${texts.deleted(deleted)}`}
      </p>
      {state === 'ready' && current.check && <Planned check={current.check} sections={current.reading?.sections} />}
      {current.reading && state !== 'checking' && (
        <ReadingPart key={`${id} ${current.revision}`} current={current} reading={current.reading} />
      )}
      {state === 'ready' && <Preview rows={preview.value} />}
      {state === 'ready' && current.delete && <Deletions current={current} />}
      {state === 'ready' &&
        current.notices.map(({ code, field, count, message }) => (
          <p key={`${code} ${field}`}>{describeCounter.get(`${code} ${field}`)?.(count) ?? message}</p>
        ))}
      <ApplyButtons current={current} />
      {current.changeSet !== undefined && !isRunning(current) && (
        <UndoImport key={current.changeSet} changeSet={current.changeSet} />
      )}
      {issues.value.length > 0 && (
        <table class="plain-rows" aria-label={texts.issues}>
          <thead>
            <tr>
              <th scope="col" class="number">
                {texts.row}
              </th>
              <th scope="col">{texts.column}</th>
              <th scope="col">{texts.value}</th>
              <th scope="col">{texts.problem}</th>
            </tr>
          </thead>
          <tbody>
            {issues.value.map((issue, index) => (
              <tr key={String(index)}>
                <td class="number" data-label={texts.row}>
                  {issue.row}
                </td>
                <td data-label={texts.column}>{issue.column ?? issue.pointer}</td>
                <td class="id" data-label={texts.value}>
                  {issue.value}
                </td>
                <td class="full">{explain(issue)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {issues.value.length === maxIssues && <p class="hint">{texts.moreIssues(maxIssues)}</p>}
    </div>
  )
}
