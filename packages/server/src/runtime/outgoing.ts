import { covers } from '../addresses.ts'

/**
 * Ranges that workerd may count as public, and that are not: this host, shared addresses of providers, benchmarks, multicast, reserved ones,
 * IPv4 addresses in IPv6 (mapped, translated, 6to4, Teredo), unique local, link-local and site-local ones, and documentation.
 */
const denied = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...[
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/96',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
  ],
  ...['2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

/** The Worker through which all calls of the service leave: workerd judges each address when it connects. */
export const outgoingName = 'outgoing'

/** The log of a delivery shows its error. workerd does not say which of the two it is. */
const script = `export default {
  async fetch(request, env) {
    try {
      return await env.INTERNET.fetch(request)
    } catch {
      throw new Error('cannot connect: nothing responds there, or it is no public address')
    }
  }
}`

/** The Worker that sends the requests of the service, and keeps them from private addresses. */
export const createOutgoingWorker = (privateWebhooks: readonly string[], internalAddress: string, service: string) => ({
  name: outgoingName,
  // The service listens by itself. Declared here, because a socket of a Worker with pages leads through two more Workers.
  unsafeDirectSockets: [{ host: internalAddress, port: 0, serviceName: service }],
  modules: true as const,
  script,
  compatibilityDate: '2026-10-01',
  serviceBindings: {
    INTERNET: {
      network: {
        // The more specific range wins, the denied one of two that are equal.
        allow: ['public', ...privateWebhooks],
        deny: [
          ...denied.filter((range) => !privateWebhooks.some((allowed) => covers(allowed, range))),
          `${internalAddress}/32`,
        ],
        tlsOptions: { trustBrowserCas: true },
      },
    },
  },
})
