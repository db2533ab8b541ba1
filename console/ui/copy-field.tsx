import { useId } from 'preact/hooks'
import { t } from '../app/language.ts'
import { Icon } from './icons.tsx'
import { showStatus } from './toasts.tsx'

/** A value to copy, or to share with another app where the browser can. Focus selects the whole value, for browsers that deny access to the clipboard. */
export function CopyField({ label, value, share }: { label: string; value: string; share?: ShareData }) {
  const { action } = t()
  const id = useId()
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showStatus(action.copied),
      () => document.querySelector<HTMLInputElement>(`[id="${id}"]`)?.focus(),
    )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="with-unit">
        <input id={id} type="text" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" onClick={copy}>
          <Icon name="copy" />
          {action.copy}
        </button>
        {share && 'share' in navigator && (
          <button type="button" class="primary" onClick={() => void navigator.share(share).catch(() => undefined)}>
            {action.share}
          </button>
        )}
      </span>
    </div>
  )
}
