// Preloaded by the npm scripts and by tests. For each imported module Node reads the `package.json` of its package. That of drizzle-orm
// has 179 KB, and Node reads it for each of its 200 modules: half of the CPU time that a command needs to start.
const { registerHooks } = require('node:module')

// Missing before Node 22.15.
registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    const isInside = parentURL.includes('/node_modules/drizzle-orm/') && /^\.\.?\/.*\.js$/.test(specifier)
    // A relative import of an ES module is one too.
    return isInside && parentURL.endsWith('.js')
      ? { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context)
  },
})
