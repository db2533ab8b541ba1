import { signal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import type { TagRequests } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { useChanges } from '../../app/frame/pulse.ts'
import { t } from '../../app/language.ts'
import { hasScope, isSupport } from '../../app/session.ts'
import { showError, showStatus } from '../../ui/toasts.tsx'
import { getLabel } from '../tables/table-label.ts'

type Call = TagRequests['requests'][number]

/** While calls are open, they are read again after this time: they end by themselves. In milliseconds. */
const rereadMs = 60_000

/** The open calls, and the kinds that the venue takes; undefined while they are unknown. */
const state = signal<TagRequests | undefined>(undefined)
/** Set after a person has asked for sound on this device: browsers play none before. */
const audio = signal<AudioContext | undefined>(undefined)

const keyOf = ({ tag, kind, requestedAt }: Call) => `${tag} ${kind} ${requestedAt}`
const labelOf = ({ tag, metadata }: Call) =>
  getLabel({ id: tag, alias: [], metadata: metadata.map((entry) => ({ ...entry, visible: true })) })

/** Two short tones. */
function ring(context: AudioContext): void {
  for (const [delay, frequency] of [
    [0, 880],
    [0.18, 1_175],
  ] as const) {
    const [tone, volume] = [context.createOscillator(), context.createGain()]
    const start = context.currentTime + delay
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.25, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4)
    tone.connect(volume).connect(context.destination)
    tone.start(start)
    tone.stop(start + 0.4)
  }
}

async function load(): Promise<void> {
  const found = await api().calls.list()
  const known = new Set(state.value?.requests.map(keyOf))
  const hasNew = state.value !== undefined && found.requests.some((call) => !known.has(keyOf(call)))
  state.value = found
  if (hasNew && audio.value) ring(audio.value)
}

async function finish(call: Call): Promise<void> {
  const before = state.value
  if (!before) return
  state.value = { ...before, requests: before.requests.filter((each) => keyOf(each) !== keyOf(call)) }
  try {
    await api().calls.done(call.tag, call.kind)
    showStatus(t().today.callDone(labelOf(call)))
  } catch (error) {
    state.value = before
    showError(error)
  }
}

function SoundButton() {
  const { today: texts } = t()
  if (audio.value) return <span class="soft">{texts.soundIsOn}</span>
  const start = () => {
    const context = new AudioContext()
    audio.value = context
    ring(context)
  }
  return (
    <button type="button" class="quiet" onClick={start}>
      {texts.soundOn}
    </button>
  )
}

/** Calls of guests from their tables, each done in one tap. Nothing if the venue takes none. */
export function Calls() {
  const { today: texts } = t()
  const id = useId()
  const mayRead = hasScope('stock:read')
  const read = () => void (mayRead && load().catch(showError))
  useEffect(read, [])
  useChanges(['requests'], read)
  const { kinds = [], requests = [] } = state.value ?? {}
  const isAnyOpen = requests.length > 0
  useEffect(() => {
    if (!isAnyOpen) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && read(), rereadMs)
    return () => clearInterval(timer)
  }, [isAnyOpen])
  if (kinds.length === 0 && !isAnyOpen) return null
  const mayFinish = hasScope('stock:write') && !isSupport()
  return (
    <section class="tile wide calls" aria-labelledby={id}>
      <h2 id={id}>{texts.calls}</h2>
      <p role="status">{isAnyOpen ? texts.openCalls(requests.length) : texts.noCalls}</p>
      <ul class="entries">
        {requests.map((call) => {
          const text = `${labelOf(call)} · ${texts.callKinds[call.kind]}`
          return (
            <li key={keyOf(call)}>
              {mayFinish ? (
                <button type="button" class="primary" onClick={() => void finish(call)}>
                  {text} · {texts.finishCall}
                </button>
              ) : (
                text
              )}
            </li>
          )
        })}
      </ul>
      <p>
        <SoundButton />
      </p>
    </section>
  )
}
