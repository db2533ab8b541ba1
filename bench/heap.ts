import * as z from 'zod'

const targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }))
const answer = z.object({ id: z.number(), result: z.object({ usedSize: z.number() }) })

/** In this order: a snapshot is not wanted, but before one whatever is not needed any more is collected. */
const methods = ['HeapProfiler.enable', 'HeapProfiler.takeHeapSnapshot', 'Runtime.getHeapUsage']

/** Megabytes that the objects of an isolate take that are still needed, asked through workerd's inspector. */
export async function heapMegabytes(inspector: URL, worker: string): Promise<number> {
  const found = targets.parse(await (await fetch(`http://${inspector.host}/json`)).json())
  const target = found.find(({ id }) => id.includes(worker))
  if (!target) throw new Error(`workerd knows no ${worker}`)
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  try {
    return await new Promise<number>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
      socket.addEventListener('message', ({ data }) => {
        const { data: told } = answer.safeParse(JSON.parse(String(data)))
        if (told) resolve(told.result.usedSize / 2 ** 20)
      })
      socket.addEventListener('open', () => {
        for (const [id, method] of methods.entries()) socket.send(JSON.stringify({ id, method }))
      })
    })
  } finally {
    socket.close()
  }
}
