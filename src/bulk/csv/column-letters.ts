/** Name of a column in a spreadsheet, by its index: A to Z, then AA. */
export const toLetters = (index: number): string =>
  (index < 26 ? '' : toLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
