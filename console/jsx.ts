/** What the build makes of elements (`tools/cli/build/console.ts`). */
export { Fragment, h } from 'preact'
