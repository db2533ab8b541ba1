/**
 * Takes every request that the Worker under test sends to the Internet, and fails it as an endpoint that is down does. Webhooks of tests
 * have addresses like `https://hooks.example.com/`: no test looks them up in DNS.
 */
export const outside = {
  name: 'outside',
  modules: true,
  script: `export default { fetch: () => new Response(null, { status: 503 }) }`,
  compatibilityDate: '2026-10-01',
}
