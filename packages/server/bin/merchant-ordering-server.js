#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Settings of the memory that a running process cannot change: it becomes the same program with them. A start leaves much that is freed soon.
const flags = ['--max-semi-space-size=1', '--expose-gc']
const hasFlags = flags.every((flag) => process.execArgv.includes(flag))
if (!hasFlags && process.platform === 'linux' && process.execve)
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
  })
enableCompileCache()
await import('../dist/main.js')
