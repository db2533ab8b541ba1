/** What the build makes of elements (`src/cli/build/console.ts`). */
export { Fragment, h } from 'preact'
