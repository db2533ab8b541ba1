/** A sentence. The names that it quotes are isolated: one in Arabic does not change the order of the words around it. */
export const Sentence = ({ text }: { text: string }) =>
  text.split(/(?<=[“„])([^“”„]+)(?=[”“])/).map((part, index) => (index % 2 > 0 ? <bdi key={index}>{part}</bdi> : part))
