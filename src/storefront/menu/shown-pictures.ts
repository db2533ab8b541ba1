import type { PublicMenu, PublicMenuEntry, PublicProduct } from './public-menu.ts'

/** Whether a page shows a picture: browsers block `http:` pictures on `https:` pages. Those of the page's own origin are shown. */
export function isShownPicture(url: string | false | undefined, origin: string | undefined): url is string {
  const address = url ? URL.parse(url) : null
  return address !== null && (address.protocol === 'https:' || address.origin === origin)
}

const keepShown = (url: string | undefined, origin: string) => (isShownPicture(url, origin) ? url : undefined)

const withShownImages = (products: readonly PublicProduct[], origin: string): PublicProduct[] =>
  products.map((product) => ({ ...product, images: product.images.filter(({ url }) => isShownPicture(url, origin)) }))

function withShownPictures<Menu extends PublicMenuEntry>(menu: Menu, origin: string): Menu {
  const { banner, icon } = menu.branding
  return {
    ...menu,
    branding: {
      ...menu.branding,
      ...(typeof banner === 'string' && { banner: keepShown(banner, origin) }),
      ...(typeof icon === 'string' && { icon: keepShown(icon, origin) }),
    },
    sections: menu.sections.map((section) => ({
      ...section,
      products: withShownImages(section.products, origin),
    })),
  }
}

/** A menu without the pictures that its page does not show. */
export const withoutHiddenPictures = (menu: PublicMenu, origin: string): PublicMenu => ({
  ...menu,
  venue: { ...menu.venue, logo: keepShown(menu.venue.logo, origin) },
  menus: menu.menus.map((each) => withShownPictures(each, origin)),
  closedMenus: menu.closedMenus.map((each) => withShownPictures(each, origin)),
  parts: withShownImages(menu.parts, origin),
})
