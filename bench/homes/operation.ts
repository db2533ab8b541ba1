import type { Job } from '../load.ts'

/** A request that an arm of the comparison gets again and again. */
export type Operation = Pick<Job, 'method' | 'path' | 'expected'> & Partial<Job>
