import { resolve } from 'node:path'

/** The root folder of the project. */
export const projectFolder = resolve(import.meta.dirname, '../..')
