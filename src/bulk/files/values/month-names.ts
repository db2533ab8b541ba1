const languages = 'en de fr es it pt nl pl cs da sv fi hu el tr ru uk ar he th'.split(' ')
let names: ReadonlyMap<string, number> | undefined

/** Numbers of months by their names and short forms, in lower case and without a point at the end. Made when first needed. */
export function monthNames(): ReadonlyMap<string, number> {
  names ??= new Map(
    languages.flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC', calendar: 'gregory' })
        return Array.from({ length: 12 }, (_, index): [string, number] => [
          format
            .format(Date.UTC(2026, index, 15))
            .toLowerCase()
            .replace(/\.$/, ''),
          index + 1,
        ])
      }),
    ),
  )
  return names
}
