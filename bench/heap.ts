import * as z from 'zod'

const targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }))
const response = z.object({ id: z.number(), result: z.object({ usedSize: z.number() }) })

/** Methods in order. The snapshot itself is not used, but it triggers a garbage collection. */
const methods = ['HeapProfiler.enable', 'HeapProfiler.takeHeapSnapshot', 'Runtime.getHeapUsage']

/** Reachable heap of an isolate in megabytes, measured through workerd's inspector. */
export async function heapMegabytes(inspector: URL, worker: string): Promise<number> {
  const found = targets.parse(await (await fetch(`http://${inspector.host}/json`)).json())
  const target = found.find(({ id }) => id.includes(worker))
  if (!target) throw new Error(`the inspector lists no Worker ${worker}`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  try {
    return await new Promise<number>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('the inspector does not respond')))
      socket.addEventListener('message', ({ data }) => {
        const { data: parsed } = response.safeParse(JSON.parse(String(data)))
        if (parsed) resolve(parsed.result.usedSize / 2 ** 20)
      })
      socket.addEventListener('open', () => {
        for (const [id, method] of methods.entries()) socket.send(JSON.stringify({ id, method }))
      })
    })
  } finally {
    socket.close()
  }
}

const usage = z.object({
  id: z.number(),
  result: z.object({ usedSize: z.number().optional(), backingStorageSize: z.number().optional() }),
})

/** Opens workerd's inspector, to measure what lives in an isolate: objects and the bytes of buffers. */
export async function openHeap(inspector: URL, worker: string) {
  const found = targets.parse(await (await fetch(`http://${inspector.host}/json`)).json())
  const target = found.find(({ id }) => id.includes(worker))
  if (!target) throw new Error(`the inspector lists no Worker ${worker}`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: z.output<typeof usage>['result']) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { data: parsed } = usage.safeParse(JSON.parse(String(data)))
    if (parsed) waiting.get(parsed.id)?.(parsed.result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not respond')))
  })
  let last = 0
  const send = (method: string) =>
    new Promise<z.output<typeof usage>['result']>((resolve) => {
      const id = ++last
      waiting.set(id, (result) => {
        waiting.delete(id)
        resolve(result)
      })
      socket.send(JSON.stringify({ id, method }))
    })
  void send('HeapProfiler.enable')
  /** Megabytes that are reachable now. */
  async function live(): Promise<number> {
    // Not awaited: workerd answers only the next message. The snapshot itself is not used.
    void send('HeapProfiler.takeHeapSnapshot')
    const { usedSize = 0, backingStorageSize = 0 } = await send('Runtime.getHeapUsage')
    return (usedSize + backingStorageSize) / 2 ** 20
  }
  return {
    live,
    /** The most of many measurements, one each `pauseMs`, until `isOver` returns true. */
    async most(pauseMs: number, isOver: () => boolean): Promise<number> {
      let most = 0
      do {
        most = Math.max(most, await live())
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      } while (!isOver())
      return most
    },
    close: () => socket.close(),
  }
}
