import type { WriteStream } from 'node:tty'
import type { Import } from '../../../packages/client/src/client.ts'

const barWidth = 30
/** Minimum time between two drawings of the bar, in milliseconds. */
const drawingMs = 50

/** Shows the progress of a load: a bar on a terminal, otherwise a line for each of its two steps. */
export function createProgressDisplay(stream: WriteStream) {
  let isBarShown = false
  let drawnAt = 0
  let written = ''

  function clear() {
    if (isBarShown) stream.write('\r\u001b[K')
    isBarShown = false
  }

  return {
    show({ state, rows, checked, applied, failed }: Import) {
      const isCheck = state === 'checking' || state === 'ready'
      const [step, done] = isCheck ? ['checked', checked] : ['loaded', applied + failed]
      if (!stream.isTTY) {
        if (done === rows && step !== written) stream.write(`${step}: ${done}/${rows}\n`)
        if (done === rows) written = step
        return
      }
      if (done < rows && Date.now() - drawnAt < drawingMs) return
      drawnAt = Date.now()
      const filled = rows === 0 ? barWidth : Math.round((done / rows) * barWidth)
      stream.write(`\r\u001b[K${step.padEnd(9)} ${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${done}/${rows}`)
      isBarShown = true
    },
    clear,
  }
}
