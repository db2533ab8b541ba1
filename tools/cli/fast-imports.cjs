// Preloaded by the npm scripts and by tests. For each import Node reads the `package.json` of the package. That of drizzle-orm has 179 KB,
// and without this Node reads it for each of its 200 modules and each of our imports: two thirds of the CPU time that a command needs to start.
const { registerHooks } = require('node:module')

/** URLs of what our modules import, by specifier. There is one drizzle-orm. */
const known = new Map()

// Missing before Node 22.15.
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    const isInside = parentURL.includes('/node_modules/drizzle-orm/') && /^\.\.?\/.*\.js$/.test(specifier)
    // A relative import of an ES module is one too.
    if (isInside && parentURL.endsWith('.js'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    const url = known.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    const found = next(specifier, context)
    if (/^drizzle-orm(?:\/|$)/.test(specifier) && found.format === 'module') known.set(specifier, found.url)
    return found
  },
})
