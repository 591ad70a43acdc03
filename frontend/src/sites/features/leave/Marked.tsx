/** A text with the elements <strong> and <b>. */
export const Marked = ({ text }: { text: string }) =>
  text.split(/<(strong|b)>(.*?)<\/\1>/).map((part, place, parts) => {
    // Each element is two parts: its name and its content.
    if (place % 3 === 1) return null;
    const Element = parts[place - 1] as 'strong' | 'b';
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not change places
    return place % 3 === 2 ? <Element key={place}>{part}</Element> : part;
  });
