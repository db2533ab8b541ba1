import { daySeconds } from '../../platform/lib/day.ts'
import type { ResourcePath } from '../../platform/names.ts'

/** Prefix of the id of a release. */
export const releasePrefix = 'rel'

/** Resources whose objects a release changes. */
export const releasedPaths = ['products', 'modifiers', 'menus', 'coupons'] as const satisfies readonly ResourcePath[]
export type ReleasedPath = (typeof releasedPaths)[number]

/** Limits of releases. */
export const releaseLimits = {
  title: 255,
  note: 1_000,
  /** Operations of one request, and of a release. */
  operations: 500,
  changes: 5_000,
  /** Bytes of the operations of a release, with the values before them. */
  bytes: 16 * 1024 * 1024,
  /** Releases of a mode that are neither published nor cancelled. */
  open: 50,
  /** Seconds until a release is published at the latest. */
  ahead: 366 * daySeconds,
  /** Operations of a preview that are not stored, and bytes of its body. */
  shownOperations: 20,
  shownBytes: 64 * 1024,
  /** Hours for which the address of a preview is valid. */
  previewHours: 168,
  defaultPreviewHours: 24,
  /** Days after which a release is deleted. */
  days: 400,
} as const

/** How long the scheduler tries again to publish a release whose merchant cannot be written, in seconds. */
export const retrySeconds = 600
