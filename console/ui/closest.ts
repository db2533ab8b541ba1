/** Objects that are read of what matches a text, which the service returns newest first, and from which the closest are taken. */
export const matchesRead = 50

/** The items whose titles are closest to a text: equal to it, else beginning with it, else in their order. */
export function takeClosest<Item>(
  items: readonly Item[],
  titleOf: (item: Item) => string,
  text: string,
  count: number,
) {
  const wanted = text.toLocaleLowerCase()
  const rank = (item: Item) => {
    const title = titleOf(item).toLocaleLowerCase()
    return title === wanted ? 0 : title.startsWith(wanted) ? 1 : 2
  }
  return items.toSorted((a, b) => rank(a) - rank(b)).slice(0, count)
}
