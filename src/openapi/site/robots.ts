/**
 * Tells robots what to read: menus and the documentation. Scans and chips are left out, because they only redirect. Pages that are not for
 * search engines, such as the menu of one table, say so in `X-Robots-Tag`.
 */
export const robots = `User-agent: *
Disallow: /t/
Disallow: /T/
Disallow: /n/
Disallow: /N/
Disallow: /chip/
Disallow: /admin/
Disallow: /merchants/
`
