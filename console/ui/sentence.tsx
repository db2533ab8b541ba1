/** A sentence. Quoted names are isolated, so that an Arabic name does not change the order of the surrounding words. */
export const Sentence = ({ text }: { text: string }) =>
  text.split(/(?<=[“„])([^“”„]+)(?=[”“])/).map((part, index) => (index % 2 > 0 ? <bdi key={index}>{part}</bdi> : part))
