import worker from '../../src/index.ts'

/** The reset between files does not empty queues. A message that waited for seconds would be read behind the tests of a later file. */
let startMs = 0
const consume = worker.queue

/** Ids of messages that were sent to a queue. Tests that call a consumer choose shorter ones. */
const queuedId = /^[0-9a-f]{32}$/
const isEarlier = ({ id, timestamp }: Message<unknown>) => queuedId.test(id) && timestamp.getTime() < startMs

worker.queue = async (batch, env, context) => {
  const messages = batch.messages.filter((message) => !isEarlier(message))
  if (messages.length === batch.messages.length) return await consume(batch, env, context)
  for (const message of batch.messages) if (isEarlier(message)) message.ack()
  if (messages.length === 0) return
  const remaining = new Proxy(batch, {
    get(target, name) {
      const value: unknown = name === 'messages' ? messages : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await consume(remaining, env, context)
}

/** Acknowledges messages that were sent before now, without reading them. */
export function dropEarlierMessages(): void {
  startMs = Date.now()
}
