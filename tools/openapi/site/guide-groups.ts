/** Guides for the first integration, in reading order. */
export const firstGuides = [
  ...['quickstart', 'authentication', 'errors', 'pagination', 'idempotency', 'webhooks'],
  ...['tags', 'import-export', 'taking-an-order', 'ordering-page', 'going-live'],
] as const
export const toolGuides = ['client', 'command-line', 'venue-as-code', 'mcp', 'recipes'] as const

/** Groups of guides on the index page. Guides without a group come last. */
export const guideGroups: Readonly<Record<string, readonly string[]>> = {
  'Get started': firstGuides,
  Tools: toolGuides,
  'More for integrators': [
    ...['events', 'synchronise', 'external-ids', 'batch', 'details', 'pictures', 'privacy', 'catalogue-files'],
    ...['limits', 'decisions', 'changes', 'releases', 'changelog'],
  ],
  Venues: ['console', 'guests', 'printing'],
  Operators: [
    ...['operations', 'service-levels', 'run-it-yourself', 'leaving', 'reliability', 'data-protection', 'security'],
    ...['homes', 'scale', 'performance', 'design'],
  ],
}
