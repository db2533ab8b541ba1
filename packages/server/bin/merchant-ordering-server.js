#!/usr/bin/env node
// Not by name: an older Node has no such export, and would only say so.
import * as nodeModule from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`The server needs Node 22.18 or newer. This is Node ${process.versions.node}.`)
  process.exit(2)
}

// Settings of the memory that a running process cannot change: it becomes the same program with them. A start leaves much that is freed soon.
const flags = ['--max-semi-space-size=1', '--expose-gc']
const hasFlags = flags.every((flag) => process.execArgv.includes(flag))
if (!hasFlags && process.platform === 'linux' && process.execve)
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
  })
nodeModule.enableCompileCache()
await import('../dist/main.js')
