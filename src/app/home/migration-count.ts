/** The number of migrations of this release. `npm run migration` writes this file. */
export const migrationCount = 87
