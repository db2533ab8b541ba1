import { useLayoutEffect } from 'preact/hooks'
import { startTexts } from '../language.ts'

/** Placeholder for a part that could not be loaded. It tries again when the browser has a connection. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { shell, problem } = startTexts()
  // Runs before the browser paints, because the connection may be back immediately.
  useLayoutEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [])
  return (
    <div class="empty" role="alert">
      <p>{problem.offline}</p>
      <button type="button" onClick={onRetry}>
        {shell.retry}
      </button>
    </div>
  )
}
