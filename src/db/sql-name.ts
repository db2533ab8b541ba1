/** The SQL name of a column's key, by the rule of drizzle's `casing: 'snake_case'`. */
export const sqlName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
