const utf8 = new TextEncoder()

async function toHashSource(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

/** A content security policy that allows one style sheet, and the given script, images and targets of forms. It denies everything else. */
export async function createPagePolicy({
  style,
  script,
  images,
  forms = "'none'",
  frames = "'none'",
}: {
  style: string
  script?: string
  images?: string
  forms?: string
  /** Pages that can show this one in a frame. */
  frames?: string
}) {
  const scripts = script === undefined ? '' : `; script-src ${await toHashSource(script)}`
  const pictures = images === undefined ? '' : `; img-src ${images}`
  // Lets tools that audit a page read `robots.txt`. Nothing else makes requests, because the page has no script.
  const requests = script === undefined ? "; connect-src 'self'" : ''
  return `default-src 'none'; style-src ${await toHashSource(style)}${scripts}${pictures}${requests}; base-uri 'none'; form-action ${forms}; frame-ancestors ${frames}`
}
