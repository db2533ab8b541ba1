/** True in CI, where tests of many like things take all of them. */
export const isLong = Boolean(process.env['CI'])

/** The items that a test of many like things takes: in CI all, otherwise the first and each `every` after it. */
export const takeShare = <Item>(items: readonly Item[], every: number): Item[] =>
  items.filter((_, index) => isLong || index % every === 0)
