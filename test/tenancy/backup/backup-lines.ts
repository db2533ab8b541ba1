import { env } from 'cloudflare:workers'
import { toBackupKey } from '../../../src/tenancy/backup/backup-file.ts'

export type Line = { table?: string; row?: Record<string, unknown>; [member: string]: unknown }

/** The lines of a backup in the bucket. */
export async function linesOf(merchantId: string, takenAt: number): Promise<Line[]> {
  const file = await env.BACKUPS.get(toBackupKey(merchantId, takenAt))
  const text = await new Response(file?.body.pipeThrough(new DecompressionStream('gzip'))).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A backup with these lines. */
export const zip = (lines: readonly unknown[]) =>
  new Response(
    new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join('')])
      .stream()
      .pipeThrough(new CompressionStream('gzip')),
  ).arrayBuffer()
