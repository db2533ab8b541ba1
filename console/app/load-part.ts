import { base } from './router.ts'

const storageName = 'console.reloaded'
const isReachable = () =>
  fetch(base, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * Loads a part of the console. A deployment replaces its files, so the page is then reloaded once to get the names of the new ones. Undefined without
 * a connection.
 */
export async function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part | undefined> {
  try {
    const part = await load()
    if (sessionStorage.getItem(storageName) === name) sessionStorage.removeItem(storageName)
    return part
  } catch {
    if (sessionStorage.getItem(storageName) !== name && (await isReachable())) {
      sessionStorage.setItem(storageName, name)
      location.reload()
    }
    return undefined
  }
}
