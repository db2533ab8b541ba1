/**
 * Allows robots to read menus and the documentation. Excludes scans, chips and links for staff. Pages that search engines must not index, such as the
 * menu of one table, have an `X-Robots-Tag`.
 */
export const robots = `User-agent: *
Disallow: /t/
Disallow: /T/
Disallow: /n/
Disallow: /N/
Disallow: /chip/
Disallow: /sheet/
Disallow: /admin/
Disallow: /merchants/
`
