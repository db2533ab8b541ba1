export const manifestName = 'manifest.json'
export const formatVersion = 1

/** The last file of a backup: it lists all others with their SHA-256. */
export interface Manifest {
  formatVersion: number
  /** Version of the program that made the backup. */
  release: string
  /** Seconds since 1970-01-01 UTC. */
  createdAt: number
  files: { name: string; bytes: number; sha256: string }[]
}

/** Parses the text of a manifest. Returns undefined if it is not one of this format. */
export function parseManifest(text: string): Manifest | undefined {
  const manifest: Manifest = JSON.parse(text)
  return manifest.formatVersion === formatVersion && Array.isArray(manifest.files) ? manifest : undefined
}
