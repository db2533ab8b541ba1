import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { useChanges } from '../../app/frame/pulse.ts'
import { t } from '../../app/language.ts'
import { base } from '../../app/router.ts'
import { showError } from '../../ui/toasts.tsx'

/** Data of a part of the screen. It is read again when somebody changes the data that it shows. */
export function useData<Data>(
  load: () => Promise<Data>,
  parts: Parameters<typeof useChanges>[0],
): Signal<Data | undefined> {
  const data = useSignal<Data | undefined>(undefined)
  const read = () =>
    void load().then((next) => {
      data.value = next
    }, showError)
  useEffect(read, [])
  useChanges(parts, read)
  return data
}

/** A part of the screen. Its space is reserved while its data is loading. */
export function Card(props: {
  title: string
  link?: string
  isWide?: boolean
  isReady: boolean
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={props.isWide ? 'tile wide' : 'tile'} aria-labelledby={id} aria-busy={!props.isReady}>
      <h2 id={id}>{props.link ? <a href={`${base}${props.link}`}>{props.title}</a> : props.title}</h2>
      {props.isReady ? props.children : <p class="soft">{t().shell.loading}</p>}
    </section>
  )
}
