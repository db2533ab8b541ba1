/**
 * Tells robots what to read: menus and the documentation. Scans, chips and links for staff are left out. Pages that are not for
 * search engines, such as the menu of one table, say so in `X-Robots-Tag`.
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
