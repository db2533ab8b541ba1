import { useEffect, useRef } from 'preact/hooks'
import { isGuarded, setGuard } from '../../app/router.ts'
import { discardDrafts } from './draft.ts'

/**
 * Asks before a form with changes is left, also by closing the window. Calls `ask` when the person leaves; the function that it returns
 * leaves without the changes.
 */
export function useLeaveGuard(isChanged: () => boolean, ask: () => void): () => void {
  const leave = useRef(() => {})
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded() && isChanged()) event.preventDefault()
    }
    setGuard((next) => {
      if (!isChanged()) return false
      leave.current = next
      ask()
      return true
    })
    addEventListener('beforeunload', warn)
    return () => {
      setGuard(undefined)
      removeEventListener('beforeunload', warn)
    }
  }, [])
  return () => {
    setGuard(undefined)
    discardDrafts()
    leave.current()
  }
}
