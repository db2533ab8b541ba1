// Preloaded by the npm scripts: prints one clear line instead of a syntax error. Plain CommonJS, so that any Node can run it.
const { existsSync } = require('node:fs')
const { resolve } = require('node:path')

/** The first version of Node that runs TypeScript files. */
const minVersion = [22, 18]

const [major, minor] = process.versions.node.split('.').map(Number)

function stop(message) {
  console.error(message)
  process.exit(1)
}

if (!existsSync(resolve(__dirname, '../../node_modules'))) stop('Dependencies are not installed. Run: npm ci')
if (major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1])) {
  stop(`This project requires Node ${minVersion.join('.')} or newer; you have v${process.versions.node}.`)
}

require('./fast-imports.cjs')
