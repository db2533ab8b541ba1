/** A fixed id with a prefix. */
export const exampleId = (prefix: string) => `${prefix}_01kajqb2kefz3t5ydm0pg6n9rw`

/** The time of all examples. */
export const exampleTime = new Date('2026-11-21T09:00:00Z')
export const exampleSeconds = exampleTime.getTime() / 1000

/** An order that an ordering system can publish. */
export const exampleOrder = { orderId: '1234', total: 12.5 }
