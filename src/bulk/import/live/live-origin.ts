import type { StoredImport } from '../import-view.ts'

/** Beginning of the external id of an object that was copied from live mode. The id of its origin follows. */
const originPrefix = 'live:'

/** The external id of a copy. It is where the origin of a copy is kept. */
export const toOrigin = (id: string) => `${originPrefix}${id}`

/** Beginning of the external ids of the objects that an import may delete as missing. */
export const getMissingPrefix = ({ mapping }: Pick<StoredImport, 'mapping'>) => (mapping === 'live' ? originPrefix : '')
