/** Saves data as a file of this name: the name in a header of a response would override that of a link. */
export function saveFile(data: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
/** How long the browser may take to start saving, in milliseconds. */
const keptMs = 60_000
