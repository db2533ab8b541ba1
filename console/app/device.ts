const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'CrOS', 'Linux'] as const

/** Browser and system of a `User-Agent`, if they are known; otherwise empty. */
export function nameDevice(userAgent = ''): string {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`))
  const found = [browser && (names[browser] ?? browser), systems.find((name) => userAgent.includes(name))]
  return found.filter(Boolean).join(', ')
}
