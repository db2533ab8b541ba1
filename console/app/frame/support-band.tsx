import { useEffect } from 'preact/hooks'
import { showError } from '../../ui/toasts.tsx'
import { formatTime } from '../format.ts'
import { t } from '../language.ts'
import { sendSigned, sessionPath } from '../session.ts'
import { signOut } from '../sign-in/sign-out.ts'

/** Time after the end of the hour, because clocks differ, in milliseconds. */
const marginMs = 2_000

/** Says until when and why an operator has opened the venue. At the end of the hour, a request finds that the session has ended. */
export function SupportBand({ until, reason }: { until: number; reason: string }) {
  const { support } = t()
  useEffect(() => {
    const timer = setTimeout(() => sendSigned(sessionPath).catch(showError), until * 1000 - Date.now() + marginMs)
    return () => clearTimeout(timer)
  }, [until])
  return (
    <section class="test-mode support" aria-label={support.label}>
      <p>
        <strong>{support.until(formatTime(until))}</strong> {reason}
      </p>
      <button type="button" onClick={() => signOut().catch(showError)}>
        {support.end}
      </button>
    </section>
  )
}
