import { existsSync, readFileSync } from 'node:fs'

/** Programs that end-to-end tests need, besides a browser. Without them those tests are left out, and the run says so. */
export const programs: Readonly<Record<string, readonly string[]>> = {
  'browser-layout.test.ts': ['pdftotext'],
  // `npm ci --prefix test/foreign`
  'foreign.test.ts': ['prism'],
  'print.test.ts': ['zbarimg', 'pdftoppm'],
  'server/clock.test.ts': ['gcc'],
  'server/lost-checks.test.ts': ['gcc'],
  'server/proxies.test.ts': ['openssl', 'caddy'],
}

/** Bit of the capability to mount file systems (CAP_SYS_ADMIN). */
const mountBit = 21n
/** Permissions that end-to-end tests need. Without them those tests are left out, and the run says so. */
const permissions: Readonly<Record<string, { name: string; has: () => boolean }>> = {
  'server/disk-full.test.ts': {
    name: 'permission to mount a file system',
    has() {
      const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
      const [, effective = '0'] = /^CapEff:\s*([\da-f]+)/m.exec(status) ?? []
      return ((BigInt(`0x${effective}`) >> mountBit) & 1n) === 1n
    },
  },
  'server/outgoing.test.ts': { name: 'permission to write /etc/hosts', has: () => process.getuid?.() === 0 },
}

/** Permissions that a file needs and this process does not have. */
export function listMissingPermissions(file: string): string[] {
  const permission = permissions[file]
  return permission && !permission.has() ? [permission.name] : []
}
