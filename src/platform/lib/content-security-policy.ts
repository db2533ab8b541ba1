const utf8 = new TextEncoder()

async function toHashSource(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

/** A content security policy that allows one style sheet, fonts of the service, and the given script, images and targets of forms. It denies everything else. */
export async function createPagePolicy({
  style,
  script,
  images,
  forms = "'none'",
  frames = "'none'",
  manifest,
}: {
  style: string
  script?: string
  images?: string
  forms?: string
  /** Pages that can show this one in a frame. */
  frames?: string
  /** Sources of the manifest. */
  manifest?: string
}) {
  const scripts = script === undefined ? '' : `; script-src ${await toHashSource(script)}`
  const pictures = images === undefined ? '' : `; img-src ${images}`
  // Lets tools that audit a page read `robots.txt`. Nothing else makes requests: the page has no script, or one that makes none.
  const manifests = manifest === undefined ? '' : `; manifest-src ${manifest}`
  const requests = script === undefined || manifest !== undefined ? "; connect-src 'self'" : ''
  return `default-src 'none'; style-src ${await toHashSource(style)}${scripts}${pictures}${requests}; font-src 'self'${manifests}; base-uri 'none'; form-action ${forms}; frame-ancestors ${frames}`
}
