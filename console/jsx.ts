/** Functions that elements compile to (`tools/cli/build/console.ts`). */
export { Fragment, h } from 'preact'
