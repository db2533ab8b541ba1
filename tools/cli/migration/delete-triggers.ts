import type { DatabaseSync } from 'node:sqlite'
import { detailedPaths, resourcePaths } from '../../../src/platform/names.ts'
import type { Table, Tables } from './snapshots.ts'

/** A side table. Its rows refer to an object by the path of its resource and its row number, which a later object may reuse. */
const isSideTable = ({ columns }: Table) => 'resource' in columns && 'object' in columns

/** Side tables with rows of every resource. The others have rows of the resources with details. */
const ofAllResources: readonly string[] = ['external_ids']

/** SQL for "is a row of the deleted object", in the order of the primary keys. */
const isOfDeleted = ({ columns }: Table, path: string) => {
  const scope = Object.keys(columns).filter((name) => name === 'merchant_id' || name === 'test_mode')
  // External ids of a resource that spans both modes are stored as live ones.
  const isUnique = !('external_id' in columns)
  return [
    ...(isUnique ? scope.map((name) => `\`${name}\` = old.${name}`) : []),
    `\`resource\` = '${path}'`,
    '`object` = old.seq',
  ].join(' AND ')
}

/**
 * The triggers that a database lacks. Each one belongs to a resource and deletes rows of an object from a side table. A trigger of an earlier
 * migration counts if it deletes from this table for this resource.
 */
export function listMissingTriggers(database: DatabaseSync, tables: Tables): string[] {
  const triggers = database.prepare(`select tbl_name as owner, sql from sqlite_master where type = 'trigger'`).all()
  const hasTrigger = (path: string, side: string) =>
    triggers.some(
      ({ owner, sql }) =>
        owner === path &&
        /\bAFTER DELETE\b/i.test(String(sql)) &&
        new RegExp(`DELETE FROM \`${side}\` [^;]*'${path}'`).test(String(sql)),
    )
  return Object.entries(tables).flatMap(([side, table]) => {
    if (!isSideTable(table)) return []
    const paths = ofAllResources.includes(side) ? resourcePaths : detailedPaths
    return paths
      .filter((path) => path in tables && !hasTrigger(path, side))
      .map(
        (path) => `CREATE TRIGGER \`${path}_${side}_delete\` AFTER DELETE ON \`${path}\` BEGIN
	DELETE FROM \`${side}\` WHERE ${isOfDeleted(table, path)};
END;`,
      )
  })
}
