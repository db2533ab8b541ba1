import { effect, type Signal, signal } from '@preact/signals'
import { operator, session } from './session.ts'

/** Prefix of the names under which a tab stores what a person searches, filters and sorts. */
export const keptPrefix = 'console.list '

/** Values of this venue and mode have this beginning. Undefined: nobody is signed in. */
function findPlace(): string | undefined {
  if (operator.value) return `${keptPrefix}operator `
  return session.value && `${keptPrefix}${session.value.merchant.id} ${session.value.mode} `
}

/** A choice in a list that this tab keeps for its venue and mode, over reloads too. */
export function keep<Value>(name: string, initial: Value): Signal<Value> {
  const kept = signal(initial)
  let place: string | undefined
  effect(() => {
    const { value } = kept
    const next = findPlace()
    if (next !== place) {
      place = next
      const stored = place === undefined ? null : sessionStorage.getItem(place + name)
      kept.value = stored === null ? initial : JSON.parse(stored)
    } else if (place !== undefined) {
      if (value === initial) sessionStorage.removeItem(place + name)
      else sessionStorage.setItem(place + name, JSON.stringify(value))
    }
  })
  return kept
}
