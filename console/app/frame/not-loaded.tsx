import { useLayoutEffect } from 'preact/hooks'
import { startTexts } from '../language.ts'

/** Takes the place of what could not be loaded. It tries again when the browser has a connection. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const { shell, problem } = startTexts()
  // Before the browser paints: the connection may be back at once.
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
