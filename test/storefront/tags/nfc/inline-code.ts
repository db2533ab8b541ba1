export const digest = async (text: string) => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...hash))}'`
}
export const inside = (element: string, page: string) =>
  new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page)?.[1] ?? ''
