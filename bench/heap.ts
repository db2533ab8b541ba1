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
