import { type Lease, largeWork } from './byte-budget.ts'

type Texts = AsyncGenerator<string, void, undefined>

/** The same texts. Closes the lease behind the last one, or when the reader leaves. */
export async function* closeBehind(lease: Lease, texts: Texts): Texts {
  try {
    yield* texts
  } finally {
    lease.close()
  }
}

/** Memory of a response that is made as it is read, a text of about 1 MiB at a time, in bytes. */
const textMemory = 2 * 1024 * 1024

/** The same texts, for which memory is held from now on. Throws `busy` if there is none. */
export async function holdTexts(merchantId: string, texts: Texts): Promise<Texts> {
  const lease = largeWork.open(merchantId)
  try {
    await lease.hold(textMemory)
  } catch (error) {
    lease.close()
    throw error
  }
  return closeBehind(lease, texts)
}
