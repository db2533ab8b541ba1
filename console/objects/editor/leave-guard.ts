import { useEffect, useRef } from 'preact/hooks'
import { addGuard, clearGuards, isGuarded } from '../../app/router.ts'
import { discardDrafts } from './draft.ts'

/**
 * Asks before a person leaves a form with changes, or closes the window. Calls `ask` when the person leaves. The function that it returns discards
 * the changes and leaves.
 */
export function useLeaveGuard(isChanged: () => boolean, ask: () => void): () => void {
  const leave = useRef(() => {})
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded() && isChanged()) event.preventDefault()
    }
    const remove = addGuard((next) => {
      if (!isChanged()) return false
      leave.current = next
      ask()
      return true
    })
    addEventListener('beforeunload', warn)
    return () => {
      remove()
      removeEventListener('beforeunload', warn)
    }
  }, [])
  return () => {
    clearGuards()
    discardDrafts()
    leave.current()
  }
}
