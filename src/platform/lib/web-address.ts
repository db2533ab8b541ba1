/** `new URL` silently strips or encodes white space and control characters, so callers reject URLs that contain them. */
export const hasBlanks = (value: string) => /[\s\p{Cc}]/u.test(value)
/** Host of an address, with a port that is not the default one, in ASCII. Undefined if the text is not an address. */
export const getHost = (url: string) => (URL.canParse(url) ? new URL(url).host : undefined)
/** Whether a text is an `http` or `https` URL. */
export const isWebAddress = (value: string) => /^https?:\/\//i.test(value) && !hasBlanks(value) && URL.canParse(value)

/** Fields of a merchant that name hosts. */
interface VenueAddresses {
  orderingUrl?: string | null | undefined
  sandboxUrl?: string | null | undefined
  website?: string | null | undefined
  destinationHosts?: readonly string[] | undefined
}
/** The hosts to which tags of a merchant may lead. */
export const listHosts = ({ orderingUrl, sandboxUrl, website, destinationHosts = [] }: VenueAddresses): string[] => [
  ...new Set([...[orderingUrl, sandboxUrl, website].flatMap((url) => getHost(url ?? '') ?? []), ...destinationHosts]),
]
