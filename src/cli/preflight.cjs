// Preloaded by the npm scripts: one clear line in place of a syntax error. It has to run on any Node, so it is plain CommonJS.
const { existsSync } = require('node:fs')
const { resolve } = require('node:path')

/** The first Node that runs TypeScript as it is. */
const oldest = [22, 18]

const [major, minor] = process.versions.node.split('.').map(Number)

function stop(message) {
  console.error(message)
  process.exit(1)
}

if (!existsSync(resolve(__dirname, '../../node_modules'))) stop('Dependencies are not installed. Run: npm ci')
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  stop(`This needs Node ${oldest.join('.')} or newer; you have v${process.versions.node}.`)
}
