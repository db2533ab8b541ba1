import type { WriteStream } from 'node:tty'
import { toVisible } from '../local/visible-text.ts'
import type { Progress } from './load-catalogue.ts'

const barWidth = 30
/** Minimum time between two drawings of the bar, in milliseconds. */
const drawingMs = 50

/** Shows the progress of a load: a bar on a terminal, otherwise a line for each list. */
export function createProgressDisplay(stream: WriteStream) {
  let isBarShown = false
  let drawnAt = 0

  function clear() {
    if (isBarShown) stream.write('\r\u001b[K')
    isBarShown = false
  }

  function drawBar({ list, done, total }: Progress) {
    if (done < total && Date.now() - drawnAt < drawingMs) return
    drawnAt = Date.now()
    const filled = Math.round((done / total) * barWidth)
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    stream.write(`\r\u001b[K${list.padEnd(9)} ${bar} ${done}/${total}`)
    isBarShown = true
  }

  return {
    show(progress: Progress) {
      const { list, done, total, problem } = progress
      if (problem !== undefined) {
        clear()
        stream.write(`${toVisible(problem)}\n`)
      } else if (stream.isTTY) drawBar(progress)
      else if (done === total) stream.write(`${list}: ${done}/${total}\n`)
    },
    clear,
  }
}
