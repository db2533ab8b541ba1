/** A heading without case, accents, punctuation and remarks in brackets. */
export const normalizeHeading = (heading: string): string =>
  heading
    .replace(/[([][^)\]]*[)\]]?/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
